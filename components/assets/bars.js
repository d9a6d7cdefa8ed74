// Draws what components/frame/bars.py sends as bars that are links. Whatever comes from data is set
// as text or as the value of one named attribute; nothing is ever read as HTML. Streamlit calls the
// default function again on the same element whenever the data or the theme has changed.

const NS = "http://www.w3.org/2000/svg";
const EDGE = "#7d8894";
/** Pixels of a letter of an axis; from the axis to its words; of a bar's share of its place. */
const LETTER = 6.2;
const GAP = 8;
const WIDE = 0.76;
const watched = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".atlas-bars");
  const bars = () => [...box.querySelectorAll("a")];
  box.onclick = (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    setTriggerValue("opened", link.getAttribute("href"));
  };
  // One bar is in the order of the Tab key; arrow keys go to the others.
  box.onkeydown = (event) => {
    const all = bars();
    const at = all.indexOf(event.target.closest("a"));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || !all[to]) return;
    event.preventDefault();
    all[to].focus();
  };
  box.onfocusin = (event) => {
    const link = event.target.closest("a");
    for (const one of bars()) one.setAttribute("tabindex", one === link ? 0 : -1);
    if (link) tell(box, link, data);
  };
  box.onpointerover = (event) => {
    const link = event.target.closest("a");
    if (link) tell(box, link, data);
    else hide(box);
  };
  box.onpointerleave = box.onfocusout = () => hide(box);

  let width = 0;
  const settle = () => {
    if (box.clientWidth === width) return;
    width = box.clientWidth;
    const at = bars().indexOf(document.activeElement);
    draw(box, data, width);
    bars()[at]?.focus({ preventScroll: true });
  };
  hide(box);
  legend(box, data);
  settle();
  watched.get(box)?.disconnect();
  const watcher = new ResizeObserver(settle);
  watcher.observe(box);
  watched.set(box, watcher);
  return () => watched.get(box)?.disconnect();
}

function shape(kind, attributes, ...children) {
  const made = document.createElementNS(NS, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A filled box in the look of a part: its colour, and strokes across it where it is hatched. */
function filled(look, x, y, width, height) {
  const at = { x, y, width: Math.max(width, 0), height: Math.max(height, 0) };
  const found = [shape("rect", { ...at, fill: look.colour, stroke: EDGE, "stroke-width": 0.6 })];
  if (look.hatched) {
    let strokes = "";
    for (let low = -height; low < width; low += 5) {
      const [from, to] = [Math.max(0, low), Math.min(width, low + height)];
      strokes += `M${x + from} ${y + height - (from - low)}L${x + to} ${y + height - (to - low)}`;
    }
    found.push(shape("path", { d: strokes, stroke: EDGE, "stroke-width": 1 }));
  }
  return found;
}

function diamond(x, y, colour) {
  return shape("path", { d: `M${x} ${y - 5}l5 5l-5 5l-5 -5Z`, fill: colour });
}

function legend(box, data) {
  const rows = data.legend.map((look) => {
    const mark = look.line
      ? [shape("path", { d: "M0 6H14", stroke: look.colour, "stroke-dasharray": "2 2" }), diamond(7, 6, look.colour)]
      : filled(look, 1, 1, 12, 10);
    const row = document.createElement("li");
    row.append(shape("svg", { "aria-hidden": "true" }, ...mark), look.label);
    return row;
  });
  box.querySelector(".legend").replaceChildren(...rows);
}

/** Degrees by which words under bars `room` pixels apart are turned so that none touch. */
function turned(words, room) {
  const longest = LETTER * Math.max(...words.map((word) => word.length), 0);
  return longest + 4 < room ? 0 : room > 22 ? 45 : 90;
}

function draw(box, data, width) {
  const svg = box.querySelector(".stage svg");
  svg.setAttribute("aria-label", data.caption);
  svg.setAttribute("height", data.height);
  const left = GAP + LETTER * Math.max(...data.lines.map((line) => line.text.length));
  const room = (width - left) / Math.max(data.bars.length, 1);
  const words = data.bars.map((bar) => bar.label);
  const angle = turned(words, room);
  const longest = LETTER * Math.max(...words.map((word) => word.length), 0);
  const below = { 0: 20, 45: longest * 0.72 + 18, 90: longest + 12 }[angle];
  const height = data.height - below - 10;
  const y = (value) => 10 + height * (1 - value / (data.top || 1));
  const parts = data.lines.flatMap((line) => [
    shape("path", { class: "line", d: `M${left} ${y(line.value)}H${width}` }),
    shape("text", { x: left - GAP, y: y(line.value) + 4, "text-anchor": "end" }, line.text),
  ]);
  const marks = [];
  data.bars.forEach((bar, at) => {
    const [start, middle] = [left + room * at, left + room * (at + 0.5)];
    const link = shape("a", { href: bar.href, "aria-label": bar.said.join("; "), "data-at": at, tabindex: at ? -1 : 0 });
    link.append(shape("rect", { class: "reach", x: start + 1, y: 2, width: room - 2, height: height + 8 }));
    let low = 0;
    for (const part of bar.parts) {
      const high = low + part.value;
      link.append(...filled(data.looks[part.look], middle - (room * WIDE) / 2, y(high), room * WIDE, y(low) - y(high)));
      low = high;
    }
    const [anchor, turn] = angle ? ["end", `rotate(-${angle} ${middle} ${height + 22})`] : ["middle", ""];
    const shift = angle === 90 ? 4 : 0;
    link.append(shape("text", { x: middle + shift, y: height + 24, "text-anchor": anchor, transform: turn }, bar.label));
    parts.push(link);
    if (bar.mark !== null) marks.push({ at, x: middle, y: y(bar.mark) });
  });
  const line = data.legend.find((look) => look.line);
  for (const [at, mark] of marks.entries()) {
    const before = marks[at - 1];
    if (before?.at === mark.at - 1) {
      const d = `M${before.x} ${before.y}L${mark.x} ${mark.y}`;
      parts.push(shape("path", { d, stroke: line.colour, "stroke-width": 1.5, "stroke-dasharray": "2 3", "pointer-events": "none" }));
    }
  }
  for (const mark of marks) {
    const drawn = diamond(mark.x, mark.y, line.colour);
    drawn.setAttribute("pointer-events", "none");
    parts.push(drawn);
  }
  svg.replaceChildren(...parts);
}

function tell(box, link, data) {
  const tip = box.querySelector(".tip");
  const lines = data.bars[link.dataset.at].said;
  tip.replaceChildren(...lines.map((said) => Object.assign(document.createElement("p"), { textContent: said })));
  tip.hidden = false;
  const [stage, bar] = [tip.parentElement.getBoundingClientRect(), link.getBoundingClientRect()];
  const beside = bar.right - stage.left + 6;
  const fits = beside + tip.offsetWidth < stage.width;
  tip.style.left = `${Math.max(0, fits ? beside : bar.left - stage.left - tip.offsetWidth - 6)}px`;
  tip.style.top = "8px";
}

function hide(box) {
  box.querySelector(".tip").hidden = true;
}
