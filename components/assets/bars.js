// Bars side by side, each a link: components/frame/bars.py.

/** Pixels of a letter of an axis; from the axis to its words; of a bar's share of its place. */
const LETTER = 6.2;
const GAP = 8;
const WIDE = 0.76;

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

/** Degrees by which words under bars `room` pixels apart are turned so that none touch. */
function turned(longest, room) {
  return longest + 4 < room ? 0 : room > 22 ? 45 : 90;
}

function draw(box, data, width) {
  const svg = box.querySelector(".stage > svg");
  svg.setAttribute("aria-label", data.caption);
  svg.setAttribute("height", data.height);
  const left = GAP + LETTER * Math.max(...data.lines.map((line) => line.text.length));
  const room = (width - left) / Math.max(data.bars.length, 1);
  const longest = LETTER * Math.max(...data.bars.map((bar) => bar.label.length), 0);
  const angle = turned(longest, room);
  const below = { 0: 20, 45: longest * 0.72 + 18, 90: longest + 12 }[angle];
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
    const x = middle + (angle === 90 ? 4 : 0);
    const turn = angle ? { "text-anchor": "end", transform: `rotate(-${angle} ${middle} ${height + 22})` } : { "text-anchor": "middle" };
    drawn.push(shape("text", { x, y: height + 24, ...turn }, bar.label));
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
