// Python and the verified program, beside the page: it never waits for them.
// The first message has the files that the page has inside; the others are next to this one.
const inside = new Promise((resolve) => {
  addEventListener("message", ({ data }) => resolve(data), { once: true });
});

const load = async () => {
  const files = await inside;
  const address = (name) =>
    name in files ? URL.createObjectURL(files[name]) : new URL(name, import.meta.url).href;
  const archives = ["packages.zip", "sealcheck.zip"].map((name) =>
    fetch(address(name)).then((found) => found.arrayBuffer()));
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    import(address("pyodide/pyodide.mjs")),
    import(address("pyodide/pyodide.asm.mjs")),
    import(address("sealcheck-verified.js")),
  ]);
  const python = await loadPyodide({
    createPyodideModule,
    lockFileURL: address("pyodide/pyodide-lock.json"),
    stdLibURL: address("pyodide/python_stdlib.zip"),
    // Pyodide appends the name of its program to this; behind a #, it is not part of what is fetched.
    indexURL: `${address("pyodide/pyodide.asm.wasm")}#`,
  });
  for (const archive of await Promise.all(archives)) python.unpackArchive(archive, "zip", { extractDir: "/lib/page" });
  python.runPython("import sys; sys.path.insert(0, '/lib/page')");
  return python.pyimport("sealcheck.cli.play.answer");
};

let asked = 0;
// Whether the verified program agrees: true, false, or why it does not say.
const verified = ({ about, asked: fields, expected }) => {
  asked += 1;
  const said = JSON.parse(globalThis.sealcheckVerified(JSON.stringify({ v: 1, seq: asked, ...fields })));
  if (said.seq !== asked || "error" in said) return { about, agrees: false };
  return "skipped" in said ? { about, skipped: said.skipped } : { about, agrees: said.result === expected };
};

const withPicture = (picture) => picture && { ...picture, checks: picture.checks.map(verified) };

const ways = {
  answer: (module, { request }) => {
    const found = JSON.parse(module.answer(request));
    const parts = found.parts?.map((part) => ({
      ...part, checks: part.checks.map(verified), picture: withPicture(part.picture),
    }));
    return { ...found, parts };
  },
  picture: (module, { request, part, cause }) => {
    const found = JSON.parse(module.picture(request, part, cause));
    return found.svg ? withPicture(found) : found;
  },
  written: (module, { request, part, cause, suffix }) => module.written(request, part, cause, suffix),
  find: (module, { request }) => JSON.parse(module.find(request)),
};

load().then(
  (module) => {
    addEventListener("message", ({ data }) => {
      try {
        postMessage({ id: data.id, found: ways[data.way](module, data) });
      } catch (error) {
        postMessage({ id: data.id, bug: String(error) });
      }
    });
    postMessage({ ready: true });
  },
  (error) => postMessage({ missing: String(error) }),
);
