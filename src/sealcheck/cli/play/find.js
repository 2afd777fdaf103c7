"use strict";
// The search for programs with given properties.  `ask` has the worker search; `load` takes a program.
const finding = ({ panel, ask, load }) => {
  const said = panel.querySelector("[role=status]");
  const list = panel.querySelector("ol");
  const wanted = () => {
    const found = {};
    for (const field of panel.querySelectorAll("[data-wanted]")) {
      const text = field.value.trim();
      if (text) found[field.dataset.wanted] = field.dataset.kind === "number" ? Number(text) : text;
    }
    return found;
  };
  const item = (program) => {
    const button = element("button");
    button.type = "button";
    for (const statement of program.text.split("; ")) {
      if (button.childNodes.length) button.append("; ");
      button.append(element("code", statement));
    }
    button.addEventListener("click", () => load(program));
    const found = document.createElement("li");
    found.append(button, element("span", program.about));
    return found;
  };
  panel.querySelector("button").addEventListener("click", async () => {
    said.textContent = "Searching …";
    list.replaceChildren();
    const found = await ask(JSON.stringify(wanted()));
    if (!found) {
      said.textContent = "Python is still loading: search again when it is ready.";
      return;
    }
    const more = found.programs && found.count > found.programs.length ? ` The first ${found.programs.length}:` : "";
    said.textContent = found.error ?? found.said + more;
    list.replaceChildren(...(found.programs ?? []).map(item));
  });
  // Its fields are no part of the question.
  panel.addEventListener("input", (event) => event.stopPropagation());
};
