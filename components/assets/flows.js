// Flows from the left to the right, those that move links: components/what_if/flows.py.

/** Pixels: of a node across, from it to its words, between the drawing and its edges. */
const NODE = 14;
const GAP = 6;
const EDGE_ROOM = 10;

export default function ({ data, parentElement, setTriggerValue }) {
  const box = drawing(parentElement, "flows");
  walk(box, {
    choose: (found) => setTriggerValue("opened", found.getAttribute("href")),
    next: inRow,
    said: (found) => data.flows[found.dataset.at].said,
  });
  return sized(box, (width) => draw(box, data, width));
}

function draw(box, data, width) {
  const svg = box.querySelector(".stage > svg");
  svg.setAttribute("aria-label", data.caption);
  svg.setAttribute("height", data.height);
  const y = (part) => EDGE_ROOM + part * (data.height - 2 * EDGE_ROOM);
  const ends = [NODE, width - NODE];
  const flows = data.flows.map((flow, at) => {
    const drawn = shape("path", { d: ribbon(flow, y, ends), fill: flow.colour, opacity: flow.href ? 0.6 : 0.18 });
    return flow.href ? link(flow.href, at, flow.said, drawn) : drawn;
  });
  const nodes = data.nodes.flatMap((node) => {
    const x = node.side === "before" ? 0 : ends[1];
    const place = { x, y: y(node.top), width: NODE, height: Math.max(1, y(node.top + node.size) - y(node.top)) };
    const words = node.side === "before" ? { x: NODE + GAP } : { x: ends[1] - GAP, "text-anchor": "end" };
    return [
      shape("rect", { ...place, fill: node.colour, stroke: EDGE, "stroke-width": 0.6 }),
      shape("text", { ...words, y: y(node.top + node.size / 2) + 4, "pointer-events": "none" }, node.label),
    ];
  });
  redraw(box, svg, ...flows, ...nodes);
}

/** The outline of a flow between two nodes. */
function ribbon(flow, y, [left, right]) {
  const middle = (left + right) / 2;
  const [from, to] = [y(flow.from), y(flow.to)];
  // What is thin is still seen.
  const wide = Math.max(1, y(flow.size) - y(0));
  return (
    `M${left} ${from}C${middle} ${from} ${middle} ${to} ${right} ${to}` +
    `V${to + wide}C${middle} ${to + wide} ${middle} ${from + wide} ${left} ${from + wide}Z`
  );
}
