// Python and the verified program, beside the page: it never waits for them.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import "./sealcheck-verified.js";

const load = async () => {
  const archives = ["packages.zip", "sealcheck.zip"].map((name) => fetch(name).then((found) => found.arrayBuffer()));
  const python = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
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

const module = await load();
addEventListener("message", ({ data }) => {
  try {
    postMessage({ id: data.id, found: ways[data.way](module, data) });
  } catch (error) {
    postMessage({ id: data.id, bug: String(error) });
  }
});
postMessage({ ready: true });
