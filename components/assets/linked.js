// What drawings of links share (components/frame/linked_drawings.py): shapes, a legend, a tooltip, the ways
// of mouse and keyboard. Whatever comes from data is set as text or as the value of one named
// attribute; nothing is ever read as HTML. Streamlit calls the default function again on the same
// element whenever the data or the theme has changed.

const NS = "http://www.w3.org/2000/svg";
const EDGE = "#7d8894";
const listening = new WeakMap();
let patterns = 0;

function shape(kind, attributes, ...children) {
  const made = document.createElementNS(NS, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Strokes across a ground: the pattern, and the fill that draws it. */
function hatching(ink) {
  const id = `atlas-hatching-${++patterns}`;
  const stroke = shape("path", { d: "M0 0V6", stroke: ink, "stroke-width": 1.6 });
  const drawn = { id, width: 4.5, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return [shape("defs", {}, shape("pattern", drawn, stroke)), `url(#${id})`];
}

/** What stands for a look in the legend. */
function swatch(look) {
  const box = { x: 1, y: 1, width: 12, height: 10 };
  const drawn = shape("svg", { "aria-hidden": "true" });
  if (look.line) {
    drawn.append(shape("path", { d: "M0 6H14", stroke: look.colour, "stroke-dasharray": "2 2" }), diamond(7, 6, look.colour));
    return drawn;
  }
  drawn.append(shape("rect", { ...box, fill: look.colour, stroke: EDGE, "stroke-width": 0.6 }));
  if (look.hatched) {
    const [defs, fill] = hatching(look.ink ?? EDGE);
    drawn.append(defs, shape("rect", { ...box, fill }));
  }
  return drawn;
}

function diamond(x, y, colour) {
  return shape("path", { d: `M${x} ${y - 5}l5 5l-5 5l-5 -5Z`, fill: colour });
}

function legend(box, looks) {
  const rows = looks.map((look) => {
    const row = document.createElement("li");
    row.append(swatch(look), look.label);
    return row;
  });
  box.querySelector(".legend").replaceChildren(...rows);
}

/** The box of a drawing, marked with its name. */
function drawing(parent, name) {
  const box = parent.querySelector(".atlas-linked");
  box.classList.add(`atlas-${name}`);
  return box;
}

function linksOf(box) {
  return [...box.querySelectorAll(".stage a")];
}

/** A link of a drawing: `at` is its place in the data, `said` what it says, its name first. */
function link(href, at, said, ...children) {
  return shape("a", { href, "data-at": at, "data-name": said[0], "aria-label": said.join("; "), tabindex: -1 }, ...children);
}

/** Draws into a part of the box, and leaves the focus on the link that had it. */
function redraw(box, into, ...parts) {
  const at = linksOf(box).indexOf(document.activeElement);
  const name = document.activeElement?.dataset.name;
  into.replaceChildren(...parts);
  const now = linksOf(box);
  const same = at >= 0 ? (now.find((one) => one.dataset.name === name) ?? now[at]) : undefined;
  (same ?? now[0])?.setAttribute("tabindex", 0);
  same?.focus({ preventScroll: true });
}

/**
 * Makes the links of a box work: `choose(link)` is called for a plain click, `next(all, at, key)`
 * names the link that a key goes to, `said(link)` what stands beside it while it is pointed at. One
 * link is in the order of the Tab key.
 */
function walk(box, { choose, next, said }) {
  box.onclick = (event) => {
    const found = event.target.closest("a");
    if (!found || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    choose(found);
  };
  box.onkeydown = (event) => {
    const all = linksOf(box);
    const at = all.indexOf(event.target.closest("a"));
    const to = at < 0 ? undefined : next(all, at, event.key);
    if (!to) return;
    event.preventDefault();
    to.focus();
  };
  // An element has no onfocusin: its listeners are taken off before new ones come.
  listening.get(box)?.abort();
  const heard = new AbortController();
  listening.set(box, heard);
  const focused = (event) => {
    const found = event.target.closest("a");
    if (!found) return;
    for (const one of linksOf(box)) one.setAttribute("tabindex", one === found ? 0 : -1);
    tell(box, found, said(found));
  };
  box.addEventListener("focusin", focused, { signal: heard.signal });
  box.addEventListener("focusout", () => hide(box), { signal: heard.signal });
  // Not pointerover: that also comes where the page scrolls under a mouse at rest.
  let under = null;
  box.onpointermove = (event) => {
    const found = event.target.closest("a");
    if (found === under) return;
    under = found;
    if (found) tell(box, found, said(found));
    else hide(box);
  };
  box.onpointerleave = () => {
    under = null;
    hide(box);
  };
  hide(box);
}

/** Shows lines beside a link, on the side that has room. */
function tell(box, found, lines) {
  const tip = box.querySelector(".tip");
  tip.replaceChildren(...lines.map((said) => Object.assign(document.createElement("p"), { textContent: said })));
  tip.hidden = false;
  const [stage, it] = [tip.parentElement.getBoundingClientRect(), found.getBoundingClientRect()];
  const [right, left] = [it.right - stage.left + 6, it.left - stage.left - tip.offsetWidth - 6];
  tip.style.left = `${Math.max(0, right + tip.offsetWidth < stage.width ? right : left)}px`;
  tip.style.top = `${Math.max(4, Math.min(it.top - stage.top, stage.height - tip.offsetHeight - 4))}px`;
}

function hide(box) {
  box.querySelector(".tip").hidden = true;
}

/** The next of links that stand in a row, for arrow keys, Home and End. */
function inRow(all, at, key) {
  const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 };
  return all[to[key]];
}

/** The nearest link in the direction of an arrow key, for drawings on a plane. */
function beyond(all, at, key) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!step) return undefined;
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const from = middle(all[at]);
  let [nearest, least] = [undefined, Infinity];
  for (const one of all) {
    const [x, y] = middle(one).map((value, axis) => value - from[axis]);
    const [along, across] = [x * step[0] + y * step[1], Math.abs(x * step[1]) + Math.abs(y * step[0])];
    const far = along + 2 * across;
    if (along > 1 && far < least) [nearest, least] = [one, far];
  }
  return nearest;
}
