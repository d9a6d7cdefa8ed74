// The states of a map, each a link: components/maps/states.py. With months it plays them (player.js).

export default function ({ data, parentElement, setTriggerValue }) {
  const box = drawing(parentElement, "states");
  const { months } = data;
  let now = months?.at;
  // Figures of the month that the page shows; of the others the class is here.
  const looked = (at) => (!months || now === months.at ? data.states[at] : months.looks[parseInt(months.classes[at][now], 36)]);
  const said = (at) => (!months || now === months.at ? data.states[at].said : [data.states[at].said[0], months.labels[now], looked(at).words]);
  walk(box, {
    choose: (found) => setTriggerValue("chosen", data.states[found.dataset.at].code),
    next: beyond,
    said: (found) => said(found.dataset.at),
  });
  legend(box, data.legend);
  const svg = box.querySelector(".stage > svg");
  svg.setAttribute("viewBox", `0 0 ${data.width} ${data.height}`);
  svg.setAttribute("aria-label", data.caption);
  const inks = new Set([...data.states, ...(months?.looks ?? [])].map((one) => one.ink));
  const fills = Object.fromEntries([...inks].map((ink) => [ink, hatching(ink)]));
  const some = data.states.some((one) => one.chosen);
  const painted = data.states.map((one, at) => {
    const edge = one.chosen ? { stroke: data.edge, "stroke-width": 3 } : { stroke: EDGE, "stroke-width": 0.7 };
    const [ground, lines] = [shape("path", { d: one.outline, ...edge }), shape("path", { d: one.outline })];
    const label = shape("text", { x: one.x, y: one.y + 4 }, one.label);
    const found = link(one.href, at, said(at), ground, lines, label);
    if (one.chosen) found.setAttribute("aria-current", "true");
    else if (some) found.classList.add("faded");
    return { found, ground, lines, label };
  });
  const paint = ({ found, ground, lines, label }, at) => {
    const { colour, ink, few } = looked(at);
    ground.setAttribute("fill", colour);
    lines.setAttribute("fill", few ? fills[ink][1] : "none");
    label.style.fill = ink;
    // Lines would run through the letters.
    label.style.display = few ? "none" : "";
    found.setAttribute("aria-label", said(at).join("; "));
  };
  painted.forEach(paint);
  // What is chosen is drawn last: its edge lies over its neighbours'.
  const drawn = painted.map(({ found }) => found);
  drawn.sort((one, other) => one.hasAttribute("aria-current") - other.hasAttribute("aria-current"));
  redraw(box, svg, ...Object.values(fills).map(([defs]) => defs), ...drawn);
  played(box, months, {
    show: (at) => {
      if (at !== now) hide(box);
      now = at;
      painted.forEach(paint);
    },
    rest: (at) => setTriggerValue("moved", at),
  });
}
