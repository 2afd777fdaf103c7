"use strict";
// What the report, the page of `sealcheck play` and notebooks have in common.
const rowsOf = (table) => [...table.tBodies[0].rows];

// How far a part is beyond the edges of the place that shows it.
const away = (low, high, first, last) => Math.min(0, low - first) + Math.max(0, high - last);
const EDGE = 40;

// Executions: arrow keys go from step to step.
const play = (player) => {
  const table = player.querySelector(".steps");
  const rows = rowsOf(table);
  const output = player.querySelector("output");
  let now = -1;
  // The step, and its place in the picture, are scrolled to; the page stays where it is.
  const follow = () => {
    const list = table.parentElement;
    const [step, seen] = [rows[now].getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollTop += away(step.top - table.tHead.offsetHeight, step.bottom, seen.top, seen.bottom);
    const picture = player.querySelector(".picture");
    const dot = picture.querySelector(".now")?.getBoundingClientRect();
    const frame = picture.getBoundingClientRect();
    if (dot) picture.scrollLeft += away(dot.left - EDGE, dot.right + EDGE, frame.left, frame.right);
  };
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
    follow();
    const [, , event, message, channels] = [...rows[now].cells].map((cell) => cell.textContent.trim());
    output.textContent = `Step ${now + 1} of ${rows.length}: ${event}, ${message}. Channels: ${channels}.`;
  };
  const ways = {
    first: () => show(0), previous: () => show(now - 1), next: () => show(now + 1), last: () => show(rows.length - 1),
  };
  const keys = { ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last" };
  player.querySelector(".controls").hidden = false;
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
};

// Copying; where the browser does not let us, the text is selected, to be copied by hand.
const copyBeside = (button) => {
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
};
