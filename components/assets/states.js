// The states of a map, each a link: components/maps/states.py.

export default function ({ data, parentElement, setTriggerValue }) {
  const box = drawing(parentElement, "states");
  walk(box, {
    choose: (found) => setTriggerValue("chosen", data.states[found.dataset.at].code),
    next: beyond,
    said: (found) => data.states[found.dataset.at].said,
  });
  legend(box, data.legend);
  const svg = box.querySelector(".stage > svg");
  svg.setAttribute("viewBox", `0 0 ${data.width} ${data.height}`);
  svg.setAttribute("aria-label", data.caption);
  const fills = Object.fromEntries([...new Set(data.states.map((one) => one.ink))].map((ink) => [ink, hatching(ink)]));
  const some = data.states.some((one) => one.chosen);
  const drawn = data.states.map((one, at) => {
    const edge = one.chosen ? { stroke: data.edge, "stroke-width": 3 } : { stroke: EDGE, "stroke-width": 0.7 };
    const parts = [shape("path", { d: one.outline, fill: one.colour, ...edge })];
    if (one.few) parts.push(shape("path", { d: one.outline, fill: fills[one.ink][1] }));
    if (one.label) {
      const label = shape("text", { x: one.x, y: one.y + 4 }, one.label);
      label.style.fill = one.ink;
      parts.push(label);
    }
    const found = link(one.href, at, one.said, ...parts);
    if (one.chosen) found.setAttribute("aria-current", "true");
    else if (some) found.classList.add("faded");
    return found;
  });
  // What is chosen is drawn last: its edge lies over its neighbours'.
  drawn.sort((one, other) => one.hasAttribute("aria-current") - other.hasAttribute("aria-current"));
  redraw(box, svg, ...Object.values(fills).map(([defs]) => defs), ...drawn);
}
