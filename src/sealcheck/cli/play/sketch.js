"use strict";
// A program that is drawn.  Each process has a lane, with the ends of messages in the order of its events.

// The lanes of a program, in which the k'th receive of a channel takes its k'th message.
const matched = (program) =>
  program.map((share, lane) => {
    const times = {};
    return share.map(([kind, number]) => {
      const isSend = kind === "snd";
      const channel = isSend ? `${lane}>${number - 1}` : `${number - 1}>${lane}`;
      times[kind + channel] = (times[kind + channel] ?? 0) + 1;
      return { id: `${channel}:${times[kind + channel]}`, isSend };
    });
  });
const partner = (lanes, { id, isSend }) =>
  lanes.findIndex((lane) => lane.some((end) => end.id === id && end.isSend !== isSend));
const unmatched = (lanes) =>
  lanes.map((lane) => lane.map((end) => [end.isSend ? "snd" : "rcv", partner(lanes, end) + 1]));

// The rows of all ends, as high as they can be with messages going down; null if the program deadlocks.
const arranged = (lanes) => {
  const rows = lanes.map(() => []);
  const sent = new Map();
  for (let isMoving = true; isMoving;) {
    isMoving = false;
    lanes.forEach((lane, k) => {
      const end = lane[rows[k].length];
      if (!end || (!end.isSend && !sent.has(end.id))) return;
      const row = Math.max(rows[k].at(-1) ?? -1, end.isSend ? -1 : sent.get(end.id)) + 1;
      rows[k].push(row);
      if (end.isSend) sent.set(end.id, row);
      isMoving = true;
    });
  }
  return rows.every((own, k) => own.length === lanes[k].length) ? rows : null;
};

const LAST = 1e6; // beyond all rows
// The program text: messages that can be received at once come first, then the highest ends.
const written = (lanes, rows, names) => {
  const at = lanes.map(() => 0);
  const sent = new Set();
  const lines = [];
  const upcoming = (k) => lanes[k][at[k]];
  const ready = () => lanes.map((_, k) => k).filter((k) => upcoming(k)?.isSend || sent.has(upcoming(k)?.id));
  for (let able = ready(); able.length; able = ready()) {
    const waits = (each) => upcoming(each).isSend && upcoming(partner(lanes, upcoming(each)))?.id !== upcoming(each).id;
    const rank = (each) => rows[each][at[each]] + (waits(each) ? LAST : 0);
    const k = able.reduce((best, each) => (rank(each) < rank(best) ? each : best));
    const end = upcoming(k);
    const other = partner(lanes, end);
    const isWhole = end.isSend && !waits(k);
    at[k] += 1;
    if (end.isSend) {
      sent.add(end.id);
      if (isWhole) at[other] += 1;
      lines.push(`${isWhole ? "mt" : "snd"} ${names[k]}->${names[other]}`);
    } else lines.push(`rcv ${names[k]}<-${names[other]}`);
  }
  return lines.join("\n") || "eps";
};

// The lanes with an end in another place; null if a process would send to itself.
const withMoved = (lanes, from, to) => {
  const found = lanes.map((lane) => [...lane]);
  const [end] = found[from.lane].splice(from.at, 1);
  if (partner(lanes, end) === to.lane) return null;
  found[to.lane].splice(to.at, 0, end);
  return found;
};
const withAdded = (lanes, from, to) => {
  const found = lanes.map((lane) => [...lane]);
  found[from.lane].splice(from.at, 0, { id: "new", isSend: true });
  found[to.lane].splice(to.at, 0, { id: "new", isSend: false });
  return found;
};
const without = (lanes, isGone) => lanes.map((lane) => lane.filter((end) => !isGone(end)));

// The ends that are the last receives of open channels.
const lastReceives = (lanes, channels) =>
  channels.map(([i, j]) => lanes[j].findLast((end) => !end.isSend && partner(lanes, end) === i));

// The drawing.
const TOP = 56;
const STEP = 34;
const NEAR = 9; // of a dot, for a line that passes
const STILL = 4; // how far a pointer may move in a click
const shape = (name, attributes, ...children) => {
  const found = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  found.append(...children);
  return found;
};
// Long names often differ at their ends.
const cut = (name) => (name.length > 11 ? `${name.slice(0, 5)}…${name.slice(-5)}` : name);
// A message: straight, or around the dots that are in its way.
const arrow = (a, b, dots) => {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy);
  const isInTheWay = dots.some((dot) => {
    const along = ((dot.x - a.x) * dx + (dot.y - a.y) * dy) / length;
    const beside = Math.abs((dot.x - a.x) * dy - (dot.y - a.y) * dx) / length;
    return along > NEAR && along < length - NEAR && beside < NEAR;
  });
  const aside = isInTheWay ? 0.9 * STEP : 0;
  const bend = { x: (a.x + b.x) / 2 + (aside * Math.abs(dy)) / length, y: (a.y + b.y) / 2 - (aside * Math.abs(dx)) / length };
  const angle = Math.atan2(b.y - bend.y, b.x - bend.x);
  const tip = (back, turn) => `${b.x - back * Math.cos(angle + turn)} ${b.y - back * Math.sin(angle + turn)}`;
  return shape("g", { class: "message" },
    shape("path", { class: "line", d: `M${a.x} ${a.y} Q${bend.x} ${bend.y} ${tip(8, 0)}` }),
    shape("path", { class: "tip", d: `M${tip(6, 0)} L${tip(17, 0.35)} L${tip(17, -0.35)} Z` }));
};

// The editor.  `write` takes the text after each change, the number of processes if the text does not name the
// last one, and Q if it changes, too.
const sketching = ({ place, said, news, buttons, write }) => {
  const svg = shape("svg", { role: "group", "aria-label": "Drawing of P", "aria-describedby": "sketch-help" });
  place.append(svg);
  let names = [];
  let lanes = [];
  let rows = [];
  let answer = null;
  let text = null; // of the drawing
  let selected = null;
  let start = null; // of a message that is being added
  let drag = null;
  let isStale = true;
  const undone = [];

  const pitch = () => Math.max(64, Math.min(130, Math.floor((place.clientWidth - 4) / Math.max(1, lanes.length))));
  const x = (lane) => (lane + 0.5) * pitch();
  const y = (row) => TOP + row * STEP;
  const height = () => Math.max(0, ...rows.flat().map((row) => row + 1));
  const at = (lane, k) => ({ x: x(lane), y: y(rows[lane][k]) });
  const event = (own, lane, end) => {
    const other = names[partner(own, end)];
    return end.isSend ? `snd ${names[lane]}->${other}` : `rcv ${names[lane]}<-${other}`;
  };
  const slot = (lane, height, left = null) =>
    lanes[lane].filter((end, k) => end !== left && at(lane, k).y < height).length;

  const draw = () => {
    const hadFocus = svg.contains(document.activeElement) ? document.activeElement.dataset : null;
    const focus = hadFocus && { end: hadFocus.end, lane: hadFocus.lane };
    const shown = drag?.lanes ?? lanes;
    const places = new Map(); // of ends, by lane and number
    const spot = (end) => (drag && end === drag.end ? drag.point : places.get(end));
    lanes.forEach((lane, k) => lane.forEach((end, number) => places.set(end, at(k, number))));
    const parts = names.map(heading);
    const bottom = y(height()) + STEP / 2;
    const below = drawnBelow(bottom);
    const end = bottom + below.height;
    const lines = names.map((_, k) => shape("line", { class: "lane", x1: x(k), x2: x(k), y1: TOP - 16, y2: end }));
    const open = answer && answer.lanes.length === shown.length ? lastReceives(shown, answer.open) : [];
    const all = shown.flat();
    const messages = all.filter((each) => each.isSend).map((send) => {
      const others = all.filter((each) => each.id !== send.id).map(spot);
      return arrow(spot(send), spot(all.find((each) => each.id === send.id && !each.isSend)), others);
    });
    const dots = shown.flatMap((lane, k) => lane.map((each, number) => dot(each, spot(each), shown, k, number, open.includes(each))));
    const from = drag?.press ?? start;
    const begun = from ? [shape("circle", { class: "start", cx: x(from.lane), cy: from.y, r: 9 })] : [];
    if (drag?.press) begun.push(shape("line", { class: "start", x1: x(from.lane), y1: from.y, x2: drag.point.x, y2: drag.point.y }));
    svg.replaceChildren(...lines, ...below.parts, ...messages, ...begun, ...parts, ...dots);
    svg.setAttribute("width", names.length * pitch());
    svg.setAttribute("height", end + 6);
    buttons.remove.textContent = `Remove process ${cut(names.at(-1) ?? "")}`;
    buttons.remove.disabled = isStale || names.length < 3;
    buttons.add.disabled = isStale;
    buttons.drop.disabled = isStale || !selected;
    buttons.undo.disabled = !undone.length;
    buttons.keep.disabled = isStale || !answer?.seal_text || answer.q !== null;
    place.inert = isStale;
    if (focus?.end) svg.querySelector(`[data-end="${selected ? `${selected.lane}.${selected.at}` : focus.end}"]`)?.focus();
    else if (focus?.lane) svg.querySelector(`[data-lane="${focus.lane}"]`)?.focus();
  };
  const heading = (name, lane) => {
    const says = start && start.lane !== lane ? `${name} receives the message of ${names[start.lane]}` : `Process ${name}: a message from here`;
    return shape("g", { class: "heading", tabindex: 0, role: "button", "data-lane": lane, "aria-label": says },
      shape("rect", { x: x(lane) - pitch() / 2 + 4, y: 4, width: pitch() - 8, height: 30, rx: 4 }),
      shape("text", { x: x(lane), y: 24 }, cut(name)));
  };
  const dot = (end, { x: cx, y: cy }, shown, lane, number, isOpen) => {
    const isSelected = selected?.lane === lane && selected.at === number;
    const later = isOpen ? ", open: it could take a later message" : "";
    const label = `${event(shown, lane, end)}, event ${number + 1} of ${shown[lane].length} in process ${names[lane]}${later}`;
    const kind = `end ${end.isSend ? "send" : "receive"}${isOpen ? " open" : ""}`;
    return shape("g", { class: kind, tabindex: 0, role: "button", "data-end": `${lane}.${number}`, "aria-label": label, "aria-pressed": isSelected },
      shape("circle", { class: "area", cx, cy, r: 14 }), shape("circle", { class: "dot", cx, cy, r: 6 }));
  };
  // Q, or a shortest seal.
  const drawnBelow = (top) => {
    if (!answer || answer.lanes.length !== lanes.length) return { parts: [], height: 0 };
    const own = answer.below ? matched(answer.below) : [];
    const places = (answer.below ? arranged(own) : []).map((of, k) => of.map((row) => ({ x: x(k), y: top + 44 + row * STEP })));
    const dots = places.flat();
    const messages = own.flatMap((lane, k) => lane.flatMap((end, number) => {
      if (!end.isSend) return [];
      const other = partner(own, end);
      const [a, b] = [places[k][number], places[other][own[other].findIndex((each) => each.id === end.id)]];
      return [arrow(a, b, dots.filter((each) => each !== a && each !== b))];
    }));
    const circles = own.flatMap((lane, k) => lane.map((end, number) =>
      shape("circle", { class: `dot ${end.isSend ? "send" : "receive"}`, cx: places[k][number].x, cy: places[k][number].y, r: 5 })));
    const rule = shape("line", { class: "rule", x1: 0, x2: names.length * pitch(), y1: top, y2: top });
    const title = shape("text", { x: 4, y: top + 18 }, answer.title);
    const most = Math.max(top + 18, ...dots.map((each) => each.y));
    return { parts: [shape("g", { class: `below ${answer.kind}` }, rule, title, ...messages, ...circles)], height: most - top + STEP / 2 };
  };

  // The number of processes, if the text does not name the last one; else 0.
  const isNumbered = () => names.every((name, k) => name === String(k + 1));
  const size = (of = lanes) => {
    const isIdle = isNumbered() ? !of.at(-1)?.length : of.some((lane) => !lane.length);
    return isIdle ? of.length : 0;
  };

  // Changes.  Each is refused if the program would then deadlock.
  const tell = (sentence) => { news.textContent = sentence; };
  const become = (changed, chosen, labels = names) => {
    const next = matched(unmatched(changed));
    const below = arranged(next);
    if (!below) {
      tell("Refused: the program would deadlock.");
      draw();
      return;
    }
    const before = { text, n: size() };
    [lanes, rows, names, selected, start] = [next, below, labels, chosen, null];
    text = written(lanes, rows, names);
    if (text !== before.text || size() !== before.n) undone.push(before);
    draw();
    write(text, size());
    if (!chosen) return;
    tell(`Now ${event(lanes, chosen.lane, lanes[chosen.lane][chosen.at])} is event ${chosen.at + 1} of ${lanes[chosen.lane].length} in process ${names[chosen.lane]}.`);
    svg.querySelector(`[data-end="${chosen.lane}.${chosen.at}"]`).focus();
  };
  const move = (from, to) => {
    const changed = withMoved(lanes, from, to);
    if (changed) become(changed, to);
    else {
      tell("Refused: a process does not send to itself.");
      draw();
    }
  };
  const add = (from, to) => become(withAdded(lanes, from, to), to);
  const drop = () => {
    const { id } = lanes[selected.lane][selected.at];
    const said = event(lanes, selected.lane, lanes[selected.lane][selected.at]);
    const { lane } = selected;
    become(without(lanes, (end) => end.id === id), null);
    tell(`The message of ${said} is deleted.`);
    svg.querySelector(`[data-lane="${lane}"]`).focus();
  };
  const begin = (lane, number, height) => {
    [start, selected] = [{ lane, at: number, y: height }, null];
    draw();
    tell(`A message from ${names[lane]}: choose the process that receives it. Escape cancels.`);
  };
  const chosen = (lane, number, height) => {
    if (start && start.lane !== lane) add(start, { lane, at: number });
    else begin(lane, number, height);
  };

  // The pointer: ends are dragged; a click in a lane starts, or completes, a message.
  const point = (event) => {
    const box = svg.getBoundingClientRect();
    const found = { x: event.clientX - box.left, y: event.clientY - box.top };
    return { ...found, lane: Math.max(0, Math.min(lanes.length - 1, Math.floor(found.x / pitch()))) };
  };
  const ends = (target) => target.closest("[data-end]")?.dataset.end.split(".").map(Number);
  svg.addEventListener("pointerdown", (event) => {
    if (isStale || event.button) return;
    const here = point(event);
    const found = ends(event.target);
    if (found) {
      const [lane, number] = found;
      drag = { from: { lane, at: number }, to: null, end: lanes[lane][number], point: at(lane, number), first: here, lanes: null };
    } else if (here.y <= bottomOfP()) drag = { press: { lane: here.lane, at: slot(here.lane, here.y), y: Math.max(TOP - 8, here.y) }, point: here };
    else return;
    svg.setPointerCapture(event.pointerId);
  });
  const bottomOfP = () => y(height()) + STEP / 2;
  svg.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const here = point(event);
    if (drag.press) {
      drag.point = here;
      draw();
      return;
    }
    if (!drag.lanes && Math.hypot(here.x - drag.first.x, here.y - drag.first.y) < STILL) return;
    drag.point = { x: here.x, y: here.y };
    const to = { lane: here.lane, at: slot(here.lane, here.y, drag.end) };
    if (!drag.to || to.lane !== drag.to.lane || to.at !== drag.to.at) preview(to);
    draw();
  });
  // While an end is dragged, the answer is about the program as it would be.
  const preview = (to) => {
    const changed = withMoved(lanes, drag.from, to);
    const next = changed && matched(unmatched(changed));
    const below = next && arranged(next);
    drag.lanes = changed ?? drag.lanes ?? lanes;
    drag.to = to;
    drag.isPossible = Boolean(below);
    if (below) write(written(next, below, names), size(next));
  };
  const released = (event) => {
    if (!drag) return;
    const { press, from, to, isPossible, lanes: changed } = drag;
    const here = point(event);
    drag = null;
    if (press) {
      if (here.lane === press.lane) chosen(press.lane, press.at, press.y);
      else add(press, { lane: here.lane, at: slot(here.lane, here.y) });
    } else if (changed && event.type === "pointerup") {
      if (!isPossible) write(text, size());
      move(from, to);
    } else {
      if (changed) write(text, size());
      selected = from;
      draw();
      svg.querySelector(`[data-end="${from.lane}.${from.at}"]`).focus();
    }
  };
  svg.addEventListener("pointerup", released);
  svg.addEventListener("pointercancel", released);

  // The keyboard: arrow keys move the end that has the focus.
  place.addEventListener("focusin", (event) => { // with such a listener, Chromium would focus the drawing itself
    const found = ends(event.target);
    const next = found ? { lane: found[0], at: found[1] } : null;
    if (drag || (next?.lane === selected?.lane && next?.at === selected?.at)) return;
    selected = next;
    for (const each of svg.querySelectorAll("[data-end]")) each.setAttribute("aria-pressed", String(each === event.target));
    buttons.drop.disabled = !selected;
  });
  const beside = (from, way) => {
    const end = lanes[from.lane][from.at];
    let lane = from.lane + way;
    if (lane === partner(lanes, end)) lane += way;
    if (!lanes[lane]) return null;
    return { lane, at: slot(lane, at(from.lane, from.at).y) };
  };
  const within = ({ lane, at: number }, way) => (lanes[lane][number + way] ? { lane, at: number + way } : null);
  const arrows = {
    ArrowUp: (from) => within(from, -1), ArrowDown: (from) => within(from, 1),
    ArrowLeft: (from) => beside(from, -1), ArrowRight: (from) => beside(from, 1),
  };
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const found = ends(event.target);
    const lane = event.target.closest("[data-lane]")?.dataset.lane;
    if (event.key === "Escape" && start) {
      start = null;
      draw();
      tell("No message is added.");
    } else if (lane !== undefined && ["Enter", " "].includes(event.key)) {
      event.preventDefault();
      chosen(Number(lane), lanes[lane].length, bottomOfP() - STEP / 2);
    } else if (found && event.key in arrows) {
      event.preventDefault();
      const from = { lane: found[0], at: found[1] };
      const to = arrows[event.key](from);
      if (to) move(from, to);
      else tell("The end cannot move further that way.");
    } else if (found && ["Delete", "Backspace"].includes(event.key)) {
      event.preventDefault();
      selected = { lane: found[0], at: found[1] };
      drop();
    }
  });

  buttons.add.addEventListener("click", () => {
    const free = names.map((_, k) => `idle${k + 1}`).find((name) => !names.includes(name));
    const added = isNumbered() ? String(names.length + 1) : free;
    become([...lanes, []], null, [...names, added]);
    tell(`Process ${added} is added.`);
  });
  buttons.remove.addEventListener("click", () => {
    const gone = new Set(lanes.at(-1).map((end) => end.id));
    const name = names.at(-1);
    if (answer.q && answer.below.at(-1).length) {
      tell(`Refused: Q names process ${name}.`);
      return;
    }
    become(without(lanes, (end) => gone.has(end.id)).slice(0, -1), null, names.slice(0, -1));
    tell(`Process ${name} is removed, with its messages.`);
  });
  buttons.drop.addEventListener("click", () => selected && drop());
  buttons.keep.addEventListener("click", () => {
    write(text, size(), answer.seal_text);
    tell("Q is now this seal.");
  });
  buttons.undo.addEventListener("click", () => {
    const last = undone.pop();
    [text, isStale] = [null, true]; // the drawing will be that of the answer
    draw();
    write(last.text, last.n);
    tell("Undone.");
  });
  addEventListener("resize", () => {
    if (place.clientWidth) draw();
  });

  // For each lane, the place of its process in an answer, which names idle processes in its own way; null if the
  // answer is about others.
  const order = (found) => {
    const added = found.names.map((_, k) => k).filter((k) => !names.includes(found.names[k]));
    const areIdle = added.every((k) => !found.p[k].length && !found.q?.[k].length);
    if (found.names.length !== names.length || !areIdle) return null;
    return names.map((name) => (found.names.includes(name) ? found.names.indexOf(name) : added.shift()));
  };
  const titles = (found) => {
    if (found.seals !== null) return found.seals ? ["Q seals P", "yes"] : ["Q does not seal P", "no"];
    if (found.seal === null) return ["P cannot be sealed", "no"];
    return found.seal_text === "eps" ? ["Nothing to send: eps seals P", "yes"] : ["A shortest seal", "seal"];
  };
  // Show the answer about a text of P; without one, it could not be drawn.
  const answered = (found, about, why = "") => {
    if (!found || "why" in found) {
      isStale = about !== text;
      // It shows another program; while text is typed, it waits for the rest.
      place.hidden = isStale && Boolean(found) && !document.activeElement.matches("textarea");
      said.textContent = found?.why ? `${found.why}. The text stays as it is.` : why;
      draw();
      return;
    }
    const isOther = !drag && (about !== text || found.names.length !== lanes.length);
    if (isOther && text !== null) undone.push({ text, n: size() });
    const kept = isOther ? null : order(found);
    if (!kept) names = found.names;
    const places = kept ?? names.map((_, k) => k);
    const inOrder = (program) =>
      program && places.map((place) => program[place].map(([kind, k]) => [kind, places.indexOf(k - 1) + 1]));
    if (isOther) {
      lanes = matched(found.p);
      rows = arranged(lanes);
      [text, selected, start] = [about, null, null];
    }
    isStale = place.hidden = false;
    const [title, kind] = titles(found);
    const below = inOrder(found.q ?? found.seal);
    const open = found.open.map((channel) => channel.map((k) => places.indexOf(k - 1)));
    answer = { ...found, title, kind, below, open, lanes: found.p };
    said.textContent = found.said;
    draw();
  };
  return { answered };
};
