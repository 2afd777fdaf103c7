"use strict";
// Everything can be read without this script: it filters, sorts, plays and copies.
for (const part of document.querySelectorAll(".needs-script")) part.hidden = false;

const rowsOf = (table) => [...table.tBodies[0].rows];
const countShown = (rows, output) => {
  const shown = rows.filter((row) => !row.hidden).length;
  output.textContent = `${shown} of ${rows.length} rows`;
};
const has = (row, text) => row.textContent.toLowerCase().includes(text.trim().toLowerCase());

// The ledger: its filters are in the URL, so that what is seen can be passed on.
{
  const form = document.getElementById("filters");
  const rows = rowsOf(document.getElementById("ledger-table"));
  const names = ["verdict", "form", "text"];
  const apply = () => {
    const wanted = Object.fromEntries(names.map((name) => [name, form.elements[name].value]));
    for (const row of rows) {
      const fits = ["verdict", "form"].every((name) => !wanted[name] || row.dataset[name] === wanted[name]);
      row.hidden = !(fits && has(row, wanted.text));
    }
    countShown(rows, document.getElementById("filtered"));
    return wanted;
  };
  const remember = () => {
    const query = new URLSearchParams(Object.entries(apply()).filter(([, value]) => value)).toString();
    history.replaceState(null, "", (query ? `?${query}` : location.pathname) + location.hash);
  };
  const recall = () => {
    const query = new URLSearchParams(location.search);
    for (const name of names) form.elements[name].value = query.get(name) ?? "";
    apply();
  };
  form.addEventListener("input", remember);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(remember));
  addEventListener("popstate", recall);
  recall();
}

// Executions: arrow keys go from step to step.
for (const player of document.querySelectorAll(".player")) {
  const table = player.querySelector(".steps");
  const rows = rowsOf(table);
  const output = player.querySelector("output");
  let now = -1;
  const show = (step) => {
    now = Math.max(0, Math.min(rows.length - 1, step));
    table.classList.add("playing");
    rows.forEach((row, number) => {
      row.classList.toggle("ahead", number > now);
      if (number === now) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    });
    for (const part of player.querySelectorAll("[data-step], [data-send]")) {
      part.classList.toggle("ahead", (part.dataset.step ?? part.dataset.receive ?? part.dataset.send) > now + 1);
      part.classList.toggle("now", Number(part.dataset.step) === now + 1);
    }
    const [, , event, message, channels] = [...rows[now].cells].map((cell) => cell.textContent.trim());
    output.textContent = `Step ${now + 1} of ${rows.length}: ${event}, ${message}. Channels: ${channels}.`;
  };
  const ways = {
    first: () => show(0), previous: () => show(now - 1), next: () => show(now + 1), last: () => show(rows.length - 1),
  };
  const keys = { ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last" };
  output.textContent = `${rows.length} steps; arrow keys play them.`;
  player.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (button) ways[button.dataset.go]();
  });
  player.addEventListener("keydown", (event) => {
    if (keys[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      ways[keys[event.key]]();
    }
  });
}

// Tables: search and sort.
for (const part of document.querySelectorAll("details.table")) {
  const table = part.querySelector(".sortable");
  const rows = rowsOf(table);
  const form = part.querySelector("form");
  const search = () => {
    for (const row of rows) row.hidden = !has(row, form.elements.text.value);
    countShown(rows, form.querySelector("output"));
  };
  form.addEventListener("input", search);
  form.addEventListener("submit", (event) => event.preventDefault());
  search();
  const order = new Intl.Collator("en", { numeric: true });
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const turned = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", turned === 1 ? "ascending" : "descending");
      const key = (row) => row.cells[column].textContent;
      table.tBodies[0].append(...[...rows].sort((a, b) => turned * order.compare(key(a), key(b))));
    });
  });
}

// Copying; where the browser does not let us, the text is selected, to be copied by hand.
for (const button of document.querySelectorAll(".copy")) {
  const text = button.previousElementSibling;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    } catch {
      getSelection().selectAllChildren(text);
      button.textContent = "Selected";
    }
  });
}
