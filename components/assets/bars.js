// Bars side by side, each a link: components/frame/bars.py.

/** Pixels of a letter of an axis; from the axis to its words; a bar's share of its place. */
const LETTER = 6.2;
const GAP = 8;
const WIDE = 0.76;
/** From a line of a label to the next. */
const LINE = 13;

export default function ({ data, parentElement, setTriggerValue }) {
  const box = drawing(parentElement, "bars");
  walk(box, {
    choose: (found) => setTriggerValue("opened", found.getAttribute("href")),
    next: inRow,
    said: (found) => data.bars[found.dataset.at].said,
  });
  legend(box, data.legend);
  return sized(box, (width) => draw(box, data, width));
}

/** The words of a label in lines that are no wider than `room` pixels; null where one word is. */
function wrapped(label, room) {
  const lines = [];
  for (const word of label.split(" ")) {
    if (LETTER * word.length + 4 > room) return null;
    const joined = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && LETTER * joined.length + 4 <= room) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}

function draw(box, data, width) {
  const svg = box.querySelector(".stage > svg");
  svg.setAttribute("aria-label", data.caption);
  svg.setAttribute("height", data.height);
  const left = GAP + LETTER * Math.max(...data.lines.map((line) => line.text.length));
  const room = (width - left) / Math.max(data.bars.length, 1);
  const labels = data.bars.map((bar) => wrapped(bar.label, room));
  // Where a word is wider than its place, all labels stand upright.
  const upright = labels.includes(null);
  const longest = LETTER * Math.max(...data.bars.map((bar) => bar.label.length), 0);
  const below = upright ? longest + 12 : 7 + LINE * Math.max(...labels.map((lines) => lines.length), 1);
  const height = data.height - below - 10;
  const y = (value) => 10 + height * (1 - value / (data.top || 1));
  const [defs, hatched] = hatching(EDGE);
  const parts = [defs];
  for (const line of data.lines) {
    parts.push(shape("path", { class: "line", d: `M${left} ${y(line.value)}H${width}` }));
    parts.push(shape("text", { x: left - GAP, y: y(line.value) + 4, "text-anchor": "end" }, line.text));
  }
  const marks = [];
  data.bars.forEach((bar, at) => {
    const [start, middle] = [left + room * at, left + room * (at + 0.5)];
    const drawn = [shape("rect", { class: "reach", x: start + 1, y: 2, width: room - 2, height: height + 8 })];
    let low = 0;
    for (const part of bar.parts) {
      const high = low + part.value;
      const place = { x: middle - (room * WIDE) / 2, y: y(high), width: room * WIDE, height: y(low) - y(high) };
      const look = data.looks[part.look];
      drawn.push(shape("rect", { ...place, fill: look.colour, stroke: EDGE, "stroke-width": 0.6 }));
      if (look.hatched) drawn.push(shape("rect", { ...place, fill: hatched }));
      low = high;
    }
    if (upright) {
      const turn = { "text-anchor": "end", transform: `rotate(-90 ${middle} ${height + 22})` };
      drawn.push(shape("text", { x: middle + 4, y: height + 24, ...turn }, bar.label));
    } else {
      labels[at].forEach((line, down) => {
        drawn.push(shape("text", { x: middle, y: height + 24 + LINE * down, "text-anchor": "middle" }, line));
      });
    }
    parts.push(link(bar.href, at, bar.said, ...drawn));
    if (bar.mark !== null) marks.push({ at, x: middle, y: y(bar.mark) });
  });
  redraw(box, svg, ...parts, ...line(marks, data.legend.find((look) => look.line)));
}

/** The line that joins the marks of neighbours, and a diamond at each. */
function line(marks, look) {
  const joined = marks.slice(1).flatMap((mark, at) => {
    const before = marks[at];
    return before.at === mark.at - 1 ? [`M${before.x} ${before.y}L${mark.x} ${mark.y}`] : [];
  });
  const parts = marks.map((mark) => diamond(mark.x, mark.y, look.colour));
  if (joined.length) {
    parts.unshift(shape("path", { d: joined.join(""), stroke: look.colour, "stroke-width": 1.5, "stroke-dasharray": "2 3" }));
  }
  for (const part of parts) part.setAttribute("pointer-events", "none");
  return parts;
}
