// The page: a question, which its address holds, and the answer of the worker.
const form = document.getElementById("question");
const parts = document.getElementById("parts");
const state = document.getElementById("state");
const stop = document.getElementById("stop");
const progress = document.getElementById("progress");
const DEBOUNCE = 150;
const SOON = 300;
const PREFIX = "#q=";
const BLANK = "Type or paste a program to get an answer. The examples below show how.";
const FIRST = "mt 1->2\nmt 2->3"; // of the drawing
const EMPTY = { kind: "layers", text: "", channels: "", repeat: false, open: false, n: 0, p: "", q: "" };

// Made from a template.
const made = (name) => document.getElementById(name).content.firstElementChild.cloneNode(true);
// A text in which no arrow is broken between two lines; a line may end after ->.
const unbroken = (text) =>
  String(text).split(/(->|<-.?)/).flatMap((part, k) => {
    if (k % 2 === 0) return part || [];
    const arrow = document.createElement("span");
    arrow.className = "whole";
    arrow.textContent = part;
    return part === "->" ? [arrow, document.createElement("wbr")] : arrow;
  });
const element = (name, text = "", kind = "") => {
  const found = document.createElement(name);
  found.append(...unbroken(text));
  if (kind) found.className = kind;
  return found;
};

// The files that a page of one file has inside, by name.
const parcels = [...document.querySelectorAll("script[data-file]")];
const opened = async (parcel) => {
  const found = await fetch(`data:;base64,${parcel.text}`);
  const headers = { "Content-Type": parcel.dataset.type };
  const content = new Response(found.body.pipeThrough(new DecompressionStream("deflate-raw")), { headers });
  parcel.remove();
  return [parcel.dataset.file, await content.blob()];
};
const inside = Promise.all(parcels.map(opened)).then(Object.fromEntries);

// The worker.  It answers one message after the other.
let worker;
let isReady = false;
let sent = 0;
const waiting = new Map();
const tell = (way, fields) =>
  new Promise((resolve, reject) => {
    sent += 1;
    waiting.set(sent, { resolve, reject });
    worker.postMessage({ id: sent, way, ...fields });
  });
const start = async (said) => {
  isReady = false;
  state.textContent = said;
  progress.hidden = false;
  try {
    const { "worker.js": script, ...files } = await inside;
    // A page that is opened as a file may have no module worker but one in a data: address.
    const address = script ? `data:text/javascript,${encodeURIComponent(await script.text())}` : "worker.js";
    worker = new Worker(address, { type: "module" });
    worker.postMessage(files);
  } catch (error) {
    missing(String(error));
    return;
  }
  worker.addEventListener("message", ({ data }) => {
    if (data.ready) {
      isReady = true;
      state.textContent = "Ready.";
      progress.hidden = true;
      next();
      return;
    }
    if (data.missing) {
      missing(data.missing);
      return;
    }
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if ("bug" in data) reject(new Error(data.bug));
    else resolve(data.found);
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    missing(event.message);
  });
};
const missing = (sentence) => {
  trouble("This page cannot start: it needs an up-to-date browser and enough memory for Python.", [sentence || "A part of it is missing."]);
  state.textContent = "";
  progress.hidden = true;
};

// Questions: only the newest one waits.
let wanted = null;
let current = null;
const next = async () => {
  if (!isReady || current !== null || wanted === null) return;
  current = wanted;
  wanted = null;
  parts.setAttribute("aria-busy", "true");
  const slow = setTimeout(() => {
    state.textContent = "Working …";
    stop.hidden = progress.hidden = false;
  }, SOON);
  try {
    const began = performance.now();
    const found = await tell("answer", { request: current });
    parts.dataset.question = current;
    show(found);
    state.textContent = `Answered in ${Math.round(performance.now() - began)} ms.`;
    state.append(" ", element("span", heard(), "unseen"));
  } catch (error) {
    failed(error);
  }
  clearTimeout(slow);
  stop.hidden = true;
  if (isReady) progress.hidden = true;
  parts.removeAttribute("aria-busy");
  current = null;
  next();
};
const STOPPED = new Error("stopped");
const restart = (said) => {
  worker.terminate();
  for (const { reject } of waiting.values()) reject(STOPPED);
  waiting.clear();
  start(said);
};
const failed = (error) => {
  if (error === STOPPED) return;
  const isLarge = /RangeError|MemoryError|out of memory/i.test(error.message);
  const large = "This question is too large for this browser: the command line has more memory.";
  trouble(isLarge ? large : "This is a bug in sealcheck: please report it.", [error.message]);
  restart("Python starts again …");
};
stop.addEventListener("click", () => {
  restart("Stopped. Python starts again …");
  form.querySelector("div:not([hidden]) > textarea").focus();
});

// The question and the address.
const asked = () => {
  const fields = Object.fromEntries(new FormData(form));
  const question = { ...EMPTY, ...fields, repeat: "repeat" in fields, open: "open" in fields, n: Number(fields.n) || 0 };
  return Object.fromEntries(Object.entries(question).filter(([key, value]) => value !== EMPTY[key]));
};
const through = async (stream, bytes) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
const packed = async (text) => {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};
const unpacked = async (text) => {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
};
const remember = async (request) => {
  const before = location.hash;
  const fragment = PREFIX + (await packed(request));
  // A link may have been followed meanwhile, and not yet been read.
  if (location.hash === before && request === JSON.stringify(asked())) history.replaceState(null, "", fragment);
};
const ask = () => {
  const request = JSON.stringify(asked());
  remember(request);
  wanted = request;
  next();
};
const fit = () => {
  const kind = form.elements.kind.value;
  for (const part of form.querySelectorAll(":scope > [data-kind]")) part.hidden = !part.dataset.kind.split(" ").includes(kind);
  if (kind === "draw" && !form.elements.p.value) form.elements.p.value = FIRST;
};
const fill = (given) => {
  const question = { ...EMPTY, ...given };
  for (const name of ["kind", "text", "channels", "p", "q"]) form.elements[name].value = question[name];
  for (const name of ["repeat", "open"]) form.elements[name].checked = question[name];
  form.elements.n.value = question.n || "";
  fit();
};
const recall = async () => {
  const address = location.hash;
  if (address.startsWith(PREFIX)) {
    try {
      const given = JSON.parse(await unpacked(address.slice(PREFIX.length)));
      if (location.hash !== address) return; // that of a newer link is read by itself
      fill(given);
    } catch {
      trouble("The address does not hold a question: it may have been cut off.");
      return;
    }
  }
  ask();
};

// Answers.
// For screen readers: the verdicts, or the sentence in their place.
const heard = () => Array.from(parts.querySelectorAll(".verdict, .trouble p"), (each) => each.textContent).join("; ");
const trouble = (sentence, notes = []) => {
  const found = element("div", "", "trouble");
  found.append(element("p", sentence), ...notes.map((note) => element("pre", note)));
  parts.replaceChildren(found);
};
// The field that an error is in is marked, and a button selects the place.
const mark = (place) => {
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  if (!place) return;
  const field = form.elements[place.field];
  field.setAttribute("aria-invalid", "true");
  const button = element("button", "Show the place");
  button.type = "button";
  button.addEventListener("click", () => {
    field.blur();
    field.setSelectionRange(place.start, place.end);
    field.focus(); // scrolls to what is selected
  });
  parts.firstElementChild.append(button);
};
const show = (found) => {
  document.getElementById("read").textContent = found.read ? `Read as ${found.read}.` : "";
  const { kind, text, p } = { ...EMPTY, ...JSON.parse(parts.dataset.question) };
  if (kind === "draw" && p === form.elements.p.value) sketch.answered(found.sketch, p, found.error);
  const isBlank = !(kind === "layers" ? text : p).trim();
  if (isBlank) parts.replaceChildren(element("p", BLANK, "remark"));
  else if ("error" in found) trouble(found.error, found.notes);
  else parts.replaceChildren(...found.remarks.map((each) => element("p", each, "remark")), ...found.parts.map(card));
  mark(found.place);
};
const VERIFIED = "the program extracted from the Coq proofs";
const noted = (checks) => {
  const about = (found) => found.map((check) => check.about).join(", ");
  const accepted = checks.filter((check) => check.agrees === true);
  const rejected = checks.filter((check) => check.agrees === false);
  const skipped = checks.filter((check) => "skipped" in check);
  const lines = [];
  if (rejected.length) {
    const line = element("li", `NOT accepted by ${VERIFIED}: ${about(rejected)}. This page and that program disagree: please report this.`, "rejected");
    line.setAttribute("role", "alert");
    lines.push(line);
  }
  if (accepted.length) lines.push(element("li", `Accepted by ${VERIFIED}: ${about(accepted)}.`, "accepted"));
  lines.push(...skipped.map((check) => element("li", `Not covered by ${VERIFIED}: ${check.skipped}.`, "uncovered")));
  return lines;
};
const card = (part, number) => {
  const found = made("part");
  found.classList.add(["yes", "no"][part.code] ?? "unknown");
  found.querySelector(".verdict").append(...unbroken(part.verdict));
  const checked = found.querySelector(".checked");
  const draw = (picture) => {
    const lines = noted([...part.checks, ...(picture?.checks ?? [])]);
    if (part.is_checked) lines.push(element("li", "Accepted by the kernel of sealcheck: the certificate.", "accepted"));
    if (part.uncovered) lines.push(element("li", part.uncovered, "uncovered"));
    checked.replaceChildren(...lines);
    found.querySelector(".execution").replaceChildren(...(picture ? execution(picture) : []));
  };
  draw(part.picture);
  found.querySelector(".remedies").hidden = !part.remedies.length;
  found.querySelector(".remedies dl").append(...part.remedies.flatMap(remedy));
  const insert = found.querySelector(".insert");
  insert.hidden = !part.mended;
  insert.addEventListener("click", () => {
    form.elements.text.value = part.mended;
    ask();
    form.elements.text.focus();
  });
  const view = { request: parts.dataset.question, part: number, cause: 0 };
  found.querySelector(".causes").hidden = part.causes.length < 2;
  found.querySelector(".causes").append("Root causes", ...part.causes.map((cause, k) => {
    const button = element("button", cause);
    button.type = "button";
    button.setAttribute("aria-pressed", String(k === 0));
    button.addEventListener("click", async () => {
      try {
        draw(await tell("picture", { ...view, cause: k }));
      } catch (error) {
        failed(error);
        return;
      }
      for (const other of button.parentElement.children) other.setAttribute("aria-pressed", String(other === button));
      view.cause = k;
      found.querySelector(".sources").replaceChildren(...sources(part, view, found));
    });
    return button;
  }));
  found.querySelector(".words").hidden = !part.words;
  found.querySelector(".words").open = part.code === 0;
  found.querySelector(".words pre").textContent = part.words;
  found.querySelector(".sources").append(...sources(part, view, found));
  return found;
};
const remedy = ([label, text]) => {
  const term = element("dt", label.trim(), label.startsWith("    ") ? "inside" : "");
  return [term, element("dd", text)];
};
const execution = (picture) => {
  const found = document.getElementById("execution").content.cloneNode(true);
  found.querySelector(".description").append(...unbroken(picture.description));
  const drawn = new DOMParser().parseFromString(picture.svg, "image/svg+xml").documentElement;
  const place = found.querySelector(".picture");
  place.style.setProperty("--least", `${Math.round(0.8 * picture.width)}px`);
  place.append(document.importNode(drawn, true));
  found.querySelector("tbody").append(...picture.steps.map((step, k) => row(step, k + 1, picture)));
  found.querySelector("table + .label").textContent = picture.left_out ? `${picture.left_out} more steps` : "";
  if (picture.steps.length) play(found.querySelector(".player"));
  else found.querySelector(".player").replaceChildren(place);
  return [...found.children];
};
const row = ([layer, event, message, channels], number, picture) => {
  const found = document.createElement("tr");
  const isWrong = number === picture.wrong;
  if (isWrong) found.className = "wrong";
  const heading = element("th", number);
  heading.scope = "row";
  const code = element("td");
  code.append(element("code", event));
  const told = element("td", message);
  if (isWrong) told.append(" ", element("strong", `of ${picture.source}`));
  found.append(heading, element("td", layer), code, told, element("td", channels));
  return found;
};

const ANSWER = "answer.json";
// What can be copied; a format of pictures is made when its part is opened.
const sources = (part, view, card) => {
  const source = (name, text, file = "") => {
    const found = made("source");
    found.querySelector("summary").textContent = name;
    const code = found.querySelector("code");
    if (typeof text === "string") code.textContent = text;
    else {
      found.addEventListener("toggle", async () => {
        if (found.open) code.textContent = await text().catch(failed);
      });
    }
    copyBeside(found.querySelector(".copy"));
    const button = found.querySelector(".save");
    button.hidden = !file;
    button.addEventListener("click", () => save(new Blob([code.textContent]), file));
    return found;
  };
  const written = (suffix) => () => tell("written", { ...view, suffix });
  const json = source("JSON", JSON.stringify(part.document, null, 1), ANSWER);
  if (part.document.certificate) {
    const hint = element("p", "Save the answer as evidence: ", "label");
    hint.append(element("code", `sealcheck verify ${ANSWER}`), " checks it.");
    json.append(hint);
  }
  const link = source("Link", async () => location.href.replace(/#.*|$/, PREFIX + (await packed(view.request))));
  const found = [source("Command", part.command), json, link];
  if (!part.picture) return found;
  const png = element("button", "Save the picture as PNG");
  png.type = "button";
  png.addEventListener("click", () => rasterized(card.querySelector(".picture svg")));
  const formats = [["Mermaid", ".mmd"], ["TikZ", ".tex"], ["SVG", ".svg"], ["Text", ".txt"]];
  return [...found, ...formats.map(([name, suffix]) => source(name, written(suffix), `execution${suffix}`)), png];
};
const save = (content, name) => {
  const link = element("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
const rasterized = async (drawn) => {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(drawn)], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((content) => save(content, "execution.png"));
  URL.revokeObjectURL(image.src);
};

// The drawing, and the search for programs to draw.
const panel = document.getElementById("sketch");
const buttons = Object.fromEntries([...panel.querySelectorAll("[data-do]")].map((each) => [each.dataset.do, each]));
const set = (p, n, q) => {
  form.elements.p.value = p;
  form.elements.n.value = n || "";
  if (q !== undefined) form.elements.q.value = q;
  ask();
};
const sketch = sketching({
  place: panel.querySelector(".sketch"), said: panel.querySelector(".said"), news: panel.querySelector(".news"), buttons,
  write: set,
});
finding({
  panel: panel.querySelector(".find"),
  ask: (request) => (isReady ? tell("find", { request }).catch(failed) : null),
  load: ({ text, n }) => set(text.replaceAll("; ", "\n"), n, ""),
});

let later;
form.addEventListener("input", () => {
  fit();
  clearTimeout(later);
  later = setTimeout(ask, DEBOUNCE);
});
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", () => {
  recall();
  form.scrollIntoView();
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("answer").focus();
});
if (location.protocol === "file:" && !parcels.length) {
  document.getElementById("served").hidden = false;
} else {
  start("Python is loading …");
  recall();
}
