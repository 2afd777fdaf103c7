// Everything can be read without this script: it filters, sorts, plays and copies.
for (const part of document.querySelectorAll(".needs-script")) part.hidden = false;

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

for (const player of document.querySelectorAll(".player")) play(player);

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

for (const button of document.querySelectorAll(".copy")) copyBeside(button);
