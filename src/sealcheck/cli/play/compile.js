// For the build: node compile.js FOLDER MODULE ARCHIVE=ROOT …, where FOLDER has Pyodide, compiles the modules of
// archives, in place, by the function of MODULE.  Without the columns of tracebacks, which half the modules' size.
const { readFileSync, writeFileSync } = require("node:fs");
const { pathToFileURL } = require("node:url");

const main = async ([folder, module, ...archives]) => {
  const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
  const python = await loadPyodide({ indexURL: `${folder}/`, env: { PYTHONNODEBUGRANGES: "1" } });
  python.globals.set("read", (name) => new Uint8Array(readFileSync(name)));
  python.runPython(readFileSync(module, "utf8"));
  for (const each of archives) {
    const [archive, root] = each.split("=");
    python.globals.set("root", root);
    python.globals.set("name", archive);
    writeFileSync(archive, python.runPython("compiled(read(name).to_bytes(), root)").toJs());
  }
};

main(process.argv.slice(2)).catch((error) => {
  console.error(String(error.message).trim());
  process.exit(1);
});
