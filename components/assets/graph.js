// Draws what components/graph/drawing.py sends as SVG. Whatever comes from data is set as text or as
// the value of one named attribute; nothing is ever read as HTML. Streamlit calls the default
// function again on the same element whenever the data or the theme has changed.

const NS = "http://www.w3.org/2000/svg";
/** Scale and offset of each drawing by its key, for as long as the page lives. */
const views = new Map();
const boxes = new WeakMap();
const NEAREST = 4;
const FARTHEST = 0.08;
/** Edges beyond which each is fainter. */
const CROWDED = 150;
/** Pixels around the whole when it is fitted into the stage. */
const MARGIN = 34;
const INK = { text: "--st-text-color", ground: "--st-background-color" };

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".atlas-graph");
  const own = boxes.get(box) ?? opened(box);
  own.choose = (id) => setTriggerValue("chosen", id);
  own.data = data;
  for (const one of own.saves) one.hidden = !data.saves;
  box.classList.toggle("bare", data.bare);
  build(own);
  settle(own);
  return () => own.watcher.disconnect();
}

function opened(box) {
  const own = { box, stage: box.querySelector(".stage"), found: [], at: -1, colours: {} };
  boxes.set(box, own);
  own.svg = made("svg", { role: "group" });
  own.tip = Object.assign(document.createElement("div"), { className: "tip", hidden: true });
  own.stage.append(own.svg, own.tip);
  bar(own);
  reached(own);
  keys(own);
  own.watcher = new ResizeObserver(() => settle(own));
  own.watcher.observe(own.stage);
  return own;
}

// What is drawn ---------------------------------------------------------------------------------

function made(tag, attributes = {}, text = null) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  if (text !== null) element.textContent = text;
  return element;
}

function build(own) {
  const { data, svg } = own;
  const focused = document.activeElement?.dataset?.id;
  const style = getComputedStyle(own.box);
  for (const [name, variable] of Object.entries(INK)) own.colours[name] = style.getPropertyValue(variable).trim();
  svg.setAttribute("aria-label", data.alt);
  svg.dataset.key = data.key;
  const roomy = room(data);
  data.nodes.forEach((node) => { node.r *= roomy; });
  own.at_id = new Map(data.nodes.map((node) => [node.id, node]));
  own.world = made("g");
  own.lines = new Map(data.edges.map((edge) => [edge, line(own, edge)]));
  own.marks = new Map(data.nodes.map((node) => [node.id, mark(own, node)]));
  own.bands = data.bands.map((band) => made("text", { ...written(own, 600), x: 8 }, band.label));
  own.words = made("g", { "aria-hidden": "true" });
  own.world.append(...own.lines.values(), ...own.marks.values());
  svg.replaceChildren(arrow(data), own.world, ...own.bands, own.words);
  if (own.key !== data.key) own.fitted = views.has(data.key);
  own.key = data.key;
  legend(own);
  find(own);
  const rove = own.at_id.get(data.chosen) ?? data.nodes[0];
  own.marks.forEach((one, id) => one.setAttribute("tabindex", id === rove?.id ? "0" : "-1"));
  if (focused && own.stage.contains(document.activeElement) === false) own.marks.get(focused)?.focus({ preventScroll: true });
}

/** How much larger than in a full board nodes can be: by the distance of the nearest two. */
function room({ nodes, unit }) {
  let nearest = Infinity;
  nodes.forEach((one, at) => {
    for (const other of nodes.slice(at + 1)) nearest = Math.min(nearest, Math.hypot(one.x - other.x, one.y - other.y));
  });
  return Math.max(1, Math.min(1.6, nearest / unit));
}

function written(own, weight = 400) {
  return {
    "font-size": LETTERS, "font-weight": weight, "font-family": "sans-serif", fill: own.colours.text,
    stroke: own.colours.ground, "stroke-width": 3, "stroke-linejoin": "round", "paint-order": "stroke",
  };
}

function arrow(data) {
  const defs = made("defs");
  const marker = made("marker", {
    id: "atlas-graph-arrow", viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 7, markerHeight: 7,
    markerUnits: "userSpaceOnUse", orient: "auto",
  });
  marker.append(made("path", { d: "M0,0.8L8,4L0,7.2Z", fill: data.line }));
  defs.append(marker);
  return defs;
}

/** From rim to rim; several edges between the same two nodes are bent apart. */
function line(own, edge) {
  const [from, to] = [own.at_id.get(edge.from), own.at_id.get(edge.to)];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [bx, by] = [(-dy / length) * edge.bend, (dx / length) * edge.bend];
  const middle = [(from.x + to.x) / 2 + bx, (from.y + to.y) / 2 + by];
  edge.middle = [(from.x + to.x) / 2 + bx / 2, (from.y + to.y) / 2 + by / 2];
  edge.steep = Math.abs(dy) > Math.abs(dx);
  const [x1, y1] = toward(from, middle, from.r);
  const [x2, y2] = toward(to, middle, to.r + 1);
  const path = made("path", {
    d: `M${x1},${y1}Q${middle[0]},${middle[1]} ${x2},${y2}`, fill: "none", stroke: own.data.line,
    "stroke-width": edge.width, "stroke-dasharray": edge.dash, "stroke-opacity": own.data.edges.length > CROWDED ? 0.4 : 0.75,
    "marker-end": "url(#atlas-graph-arrow)", "vector-effect": "non-scaling-stroke", class: "edge",
    "data-ends": `${edge.from} ${edge.to}`,
  });
  const wide = made("path", { d: path.getAttribute("d"), fill: "none", stroke: "transparent", "stroke-width": 9,
    "vector-effect": "non-scaling-stroke" });
  const both = made("g");
  both.append(path, wide);
  both.onpointerenter = (event) => tip(own, edge.lines, event);
  both.onpointerleave = () => { own.tip.hidden = true; };
  return both;
}

function toward(node, [x, y], away) {
  const length = Math.hypot(x - node.x, y - node.y) || 1;
  return [node.x + ((x - node.x) / length) * away, node.y + ((y - node.y) / length) * away];
}

function shape(node, r) {
  return made("path", {
    d: scaled(node.shape, r), fill: node.hollow ? "none" : node.fill, "pointer-events": "all",
    stroke: node.hollow ? node.fill : null, "stroke-width": node.hollow ? 2 : null, "stroke-dasharray": node.dash,
    "vector-effect": "non-scaling-stroke",
  });
}

/** A path of numbers between -1 and 1, "a" its arcs' radius: made as large as r. */
function scaled(path, r) {
  return path.replace(/-?\d*\.?\d+/g, (number, at) => (path[at - 1] === "~" ? number : String(Number(number) * r))).replaceAll("~", "");
}

function mark(own, node) {
  const group = made("g", {
    class: "node", transform: `translate(${node.x},${node.y})`, role: "button", "data-id": node.id,
    "data-x": node.x, "data-y": node.y, "aria-label": [node.name, ...node.lines].join(", "),
    "aria-pressed": String(node.id === own.data.chosen),
  });
  if (node.id === own.data.chosen) {
    group.append(made("circle", { r: node.r + (node.ring ? 8 : 5), fill: "none", stroke: own.colours.text,
      "stroke-width": 2.5, "vector-effect": "non-scaling-stroke" }));
  }
  if (node.ring) {
    group.append(made("circle", { r: node.r + 3, fill: "none", stroke: own.colours.text, "stroke-width": 5.5, "stroke-opacity": 0.55,
      "vector-effect": "non-scaling-stroke" }));
    group.append(made("circle", { r: node.r + 3, fill: "none", stroke: node.ring, "stroke-width": 4,
      "vector-effect": "non-scaling-stroke" }));
  }
  group.append(shape(node, node.r));
  if (node.glyph) {
    group.append(made("text", { "text-anchor": "middle", "dominant-baseline": "central", "font-size": node.r * 1.2,
      fill: "#ffffff", "font-family": "sans-serif", "aria-hidden": "true", "pointer-events": "none" }, node.glyph));
  }
  if (node.pinned) {
    group.append(made("path", { d: scaled("M0,-1L0.5,-1.9L-0.5,-1.9Z", node.r), fill: own.colours.text }));
  }
  group.onpointerenter = (event) => { own.over = node.id; tip(own, [node.name, ...node.lines], event); beside(own, node.id); };
  group.onpointerleave = () => { own.over = null; own.tip.hidden = true; beside(own, null); };
  group.onfocus = () => { own.focus = node.id; ringed(own, group, node); place(own); };
  group.onblur = () => { own.focus = null; group.querySelector(".focus")?.remove(); place(own); };
  return group;
}

function ringed(own, group, node) {
  if (!group.matches(":focus-visible")) return;
  group.prepend(made("circle", { class: "focus", r: node.r + 11, fill: "none", stroke: own.colours.text, "stroke-width": 2,
    "stroke-dasharray": "3 3", "vector-effect": "non-scaling-stroke" }));
}

/** Everything but a node, its edges and the nodes beside it goes back while it is pointed at. */
function beside(own, id) {
  const near = new Set([id]);
  for (const edge of own.data.edges) {
    if (edge.from === id) near.add(edge.to);
    if (edge.to === id) near.add(edge.from);
  }
  own.marks.forEach((one, at) => one.classList.toggle("faint", id !== null && !near.has(at)));
  own.lines.forEach((one, edge) => one.classList.toggle("faint", id !== null && edge.from !== id && edge.to !== id));
}

function tip(own, lines, event) {
  own.tip.replaceChildren(...lines.map((said) => Object.assign(document.createElement("p"), { textContent: said })));
  own.tip.hidden = false;
  const stage = own.stage.getBoundingClientRect();
  const [x, y] = [event.clientX - stage.left, event.clientY - stage.top];
  own.tip.style.left = `${Math.max(4, Math.min(x + 14, stage.width - own.tip.offsetWidth - 6))}px`;
  own.tip.style.top = `${Math.max(4, y + own.tip.offsetHeight + 24 > stage.height ? y - own.tip.offsetHeight - 10 : y + 14)}px`;
}

// The view --------------------------------------------------------------------------------------

function settle(own) {
  if (!own.data || !own.stage.clientWidth) return;
  own.width = own.stage.clientWidth;
  own.height = Math.min(own.data.height, Math.max(240, Math.round(own.width * 0.95)));
  own.svg.setAttribute("viewBox", `0 0 ${own.width} ${own.height}`);
  own.svg.style.height = `${own.height}px`;
  if (!own.fitted) fit(own);
  else view(own);
}

/** The whole drawing in the middle of the stage. */
function fit(own) {
  const { nodes, bands } = own.data;
  const xs = nodes.flatMap((one) => [one.x - one.r, one.x + one.r]);
  const ys = [...nodes.flatMap((one) => [one.y - one.r, one.y + one.r]), ...bands.map((one) => one.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const aside = Math.min(2 * MARGIN, own.width / 10);
  const k = Math.min((own.width - 2 * aside) / (right - left || 1), (own.height - 2 * MARGIN) / (bottom - top || 1), 1.6);
  own.fitted = true;
  view(own, { k, x: own.width / 2 - (k * (left + right)) / 2, y: own.height / 2 - (k * (top + bottom)) / 2 });
}

function view(own, to = views.get(own.key)) {
  views.set(own.key, to);
  own.view = to;
  own.world.setAttribute("transform", `translate(${to.x},${to.y}) scale(${to.k})`);
  if (!own.frame) {
    own.frame = requestAnimationFrame(() => { own.frame = 0; place(own); });
  }
}

function zoom(own, by, x = own.width / 2, y = own.height / 2) {
  const k = Math.max(FARTHEST, Math.min(NEAREST, own.view.k * by));
  const grown = k / own.view.k;
  view(own, { k, x: x - (x - own.view.x) * grown, y: y - (y - own.view.y) * grown });
}

function zooms(own) {
  return { zoom: (by) => zoom(own, by), fit: () => fit(own), by: 1.25, all: "Show the whole drawing" };
}

function centre(own, node) {
  const { k, x, y } = own.view;
  const [at, down] = [node.x * k + x, node.y * k + y];
  const inside = at > MARGIN && at < own.width - MARGIN && down > MARGIN && down < own.height - MARGIN;
  if (!inside) view(own, { k, x: own.width / 2 - node.x * k, y: own.height / 2 - node.y * k });
}

// Labels: as many as fit without covering each other or a node -----------------------------------

function place(own) {
  if (!own.view) return;
  const { k, x, y } = own.view;
  const seen = own.data.nodes
    .map((node) => ({ node, x: node.x * k + x, y: node.y * k + y, r: (node.r + (node.ring ? 6 : 1)) * k }))
    .filter((one) => one.x > -40 && one.x < own.width + 40 && one.y > -20 && one.y < own.height + 20);
  const must = (one) => [own.over, own.focus, own.data.chosen].includes(one.node.id);
  const first = (one) => must(one) || own.found.includes(one.node.id);
  const order = seen.filter(first).concat(seen.filter((one) => !first(one)).sort((a, b) => b.node.weight - a.node.weight));
  const taken = new Grid();
  for (const one of seen) taken.add(one.x - one.r, one.y - one.r, one.x + one.r, one.y + one.r, one.node.id);
  own.bands.forEach((text, at) => {
    const down = own.data.bands[at].y * k + y;
    text.setAttribute("y", down);
    taken.add(8, down - LETTERS, 16 + width(own.data.bands[at].label, 600), down + 4);
  });
  const drawn = [];
  for (const one of order) {
    const weight = one.node.id === own.data.chosen ? 600 : 400;
    const spot = free(taken, one, width(one.node.label, weight), must(one), own.width);
    if (!spot) continue;
    drawn.push(made("text", { ...written(own, weight), x: spot[0], y: spot[1] + LETTERS }, one.node.label));
  }
  for (const edge of own.data.edges.filter(({ label }) => label)) {
    const [mx, my] = [edge.middle[0] * k + x, edge.middle[1] * k + y];
    const w = width(edge.label);
    const beside = [[mx + 5, my - LETTERS / 2 - 1], [mx - w - 5, my - LETTERS / 2 - 1]];
    const above = [[mx - w / 2, my - LETTERS - 5], [mx - w / 2, my + 3]];
    const spot = (edge.steep ? [...beside, ...above] : [...above, ...beside])
      .find(([left, top]) => !taken.hits(left, top, left + w, top + LETTERS + 2));
    if (!spot) continue;
    taken.add(spot[0], spot[1], spot[0] + w, spot[1] + LETTERS + 2);
    drawn.push(made("text", { ...written(own), "fill-opacity": 0.85, x: spot[0], y: spot[1] + LETTERS - 1 }, edge.label));
  }
  own.words.replaceChildren(...drawn);
}

// What a reader does ----------------------------------------------------------------------------

function reached(own) {
  gestures(own.svg, own.stage, {
    zoom: (by, x, y) => zoom(own, by, x, y),
    move: (dx, dy) => view(own, { ...own.view, x: own.view.x + dx, y: own.view.y + dy }),
    moving: () => { own.tip.hidden = true; },
    tapped: (target) => {
      const id = target.closest(".node")?.dataset.id;
      (own.marks.get(id) ?? own.marks.get(own.data.chosen) ?? [...own.marks.values()][0])?.focus({ preventScroll: true });
      if (id) own.choose(id);
    },
  });
}

function keys(own) {
  own.svg.onkeydown = (event) => {
    const id = event.target.dataset?.id;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step && id) move(own, own.at_id.get(id), step);
    else if ((event.key === "Enter" || event.key === " ") && id) own.choose(id);
    else if (!zoomedByKey(event.key, zooms(own))) return;
    event.preventDefault();
  };
}

/** To the nearest node in a direction; what is aside counts double. */
function move(own, from, [sx, sy]) {
  let best = null;
  for (const node of own.data.nodes) {
    const [dx, dy] = [node.x - from.x, node.y - from.y];
    const along = dx * sx + dy * sy;
    if (along <= 0.5) continue;
    const cost = along + 2 * Math.abs(dx * sy - dy * sx);
    if (!best || cost < best.cost) best = { node, cost };
  }
  if (!best) return;
  own.marks.forEach((one, id) => one.setAttribute("tabindex", id === best.node.id ? "0" : "-1"));
  own.marks.get(best.node.id).focus({ preventScroll: true });
  centre(own, best.node);
}

function bar(own) {
  own.input = Object.assign(document.createElement("input"), { type: "search", placeholder: "Find on the board", maxLength: 200 });
  own.input.setAttribute("aria-label", "Find on the board");
  own.count = document.createElement("output");
  own.input.oninput = () => { own.at = -1; find(own); place(own); };
  own.input.onkeydown = (event) => {
    if (event.key === "Enter" && own.found.length) {
      own.at = (own.at + 1) % own.found.length;
      own.choose(own.found[own.at]);
      centre(own, own.at_id.get(own.found[own.at]));
      find(own);
    } else if (event.key === "Escape") {
      own.input.value = "";
      own.input.oninput();
    }
  };
  own.saves = [
    button("SVG", "Save the drawing as it is seen, as SVG", () => save(own, "svg")),
    button("PNG", "Save the drawing as it is seen, as PNG", () => save(own, "png")),
  ];
  own.box.querySelector(".bar").replaceChildren(
    ...zoomButtons(zooms(own)), own.input, own.count,
    Object.assign(document.createElement("span"), { className: "gap" }),
    ...own.saves,
  );
}

function find(own) {
  const asked = own.input.value.trim().toLowerCase();
  own.found = asked ? own.data.nodes.filter((one) => one.name.toLowerCase().includes(asked)).map((one) => one.id) : [];
  own.count.textContent = asked ? `${own.at >= 0 ? `${own.at + 1} of ` : ""}${own.found.length} found` : "";
  own.marks.forEach((one, id) => one.classList.toggle("faint", Boolean(asked) && !own.found.includes(id)));
}

function legend(own) {
  const rows = own.data.legend.map((entry) => {
    const item = document.createElement("li");
    const picture = made("svg", { viewBox: "0 0 26 14", "aria-hidden": "true" });
    picture.append(...sample(own, entry));
    item.append(picture, document.createTextNode(entry.label));
    return item;
  });
  own.box.querySelector(".legend").replaceChildren(...rows);
}

function sample(own, entry) {
  if (entry.shape) {
    const one = made("g", { transform: "translate(13,7)" });
    one.append(shape(entry, 5.5));
    return [one];
  }
  if (entry.ring) {
    return [made("circle", { cx: 13, cy: 7, r: 5, fill: "none", stroke: own.colours.text, "stroke-opacity": 0.55, "stroke-width": 4 }),
      made("circle", { cx: 13, cy: 7, r: 5, fill: "none", stroke: entry.ring, "stroke-width": 3 })];
  }
  return [made("line", { x1: 0, y1: 7, x2: 26, y2: 7, stroke: own.data.line, "stroke-width": entry.width + 0.6, "stroke-dasharray": entry.dash })];
}

// Files -----------------------------------------------------------------------------------------

/** The drawing as it is seen, with its title, ground and legend. */
function picture(own) {
  const { data, width: wide, height: high } = own;
  const per = Math.max(1, Math.floor((wide - 24) / 190));
  const rows = Math.ceil(data.legend.length / per);
  const full = high + 46 + 18 * rows + 10;
  const svg = made("svg", { xmlns: NS, width: wide, height: full, viewBox: `0 0 ${wide} ${full}` });
  svg.append(made("title", {}, data.title));
  svg.append(made("rect", { width: wide, height: full, fill: own.colours.ground }));
  svg.append(made("text", { ...written(own, 600), "font-size": 13, x: 12, y: 21 }, data.title));
  svg.append(made("text", { ...written(own), x: 12, y: 38 }, data.note));
  const clip = made("clipPath", { id: "seen" });
  clip.append(made("rect", { width: wide, height: high }));
  const drawing = made("g", { transform: "translate(0,46)", "clip-path": "url(#seen)" });
  for (const one of own.svg.children) drawing.append(one.cloneNode(true));
  for (const one of drawing.querySelectorAll(".node, .faint, .focus")) {
    if (one.classList.contains("focus")) one.remove();
    for (const name of ["tabindex", "role", "aria-pressed", "class"]) one.removeAttribute(name);
  }
  svg.append(clip, drawing);
  data.legend.forEach((entry, at) => {
    const item = made("g", { transform: `translate(${12 + 190 * (at % per)},${high + 52 + 18 * Math.floor(at / per)})` });
    item.append(...sample(own, entry), made("text", { ...written(own), x: 32, y: 11 }, entry.label));
    svg.append(item);
  });
  return { text: new XMLSerializer().serializeToString(svg), wide, full };
}

async function save(own, kind) {
  const { text, wide, full } = picture(own);
  let blob = new Blob([text], { type: "image/svg+xml" });
  if (kind === "png") {
    const address = URL.createObjectURL(blob);
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * wide, height: 2 * full });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
    blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  }
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${own.data.file}.${kind}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
