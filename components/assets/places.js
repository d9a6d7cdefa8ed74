// Places on a map that is zoomed and moved, each a link: components/maps/points.py.

/** How much larger than the whole country a map can be. */
const NEAREST = 40;
/** Names beside places while the whole country is seen; in proportion to the zoom else. */
const NAMED = 14;
/** Points that are larger have room for the glyph of their severity. */
const MARKED = 7;
const maps = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const box = drawing(parentElement, "places");
  const map = maps.get(box) ?? opened(box);
  map.data = data;
  walk(box, {
    choose: (found) => setTriggerValue("opened", found.getAttribute("href")),
    next: (all, at, key) => reached(map, beyond(all, at, key)),
    said: (found) => data.points[found.dataset.at].said,
  });
  legend(box, data.legend);
  build(map);
  return sized(box, (width) => {
    [map.width, map.height] = [width, Math.round((width * data.height) / data.width)];
    map.svg.setAttribute("viewBox", `0 0 ${map.width} ${map.height}`);
    place(map);
    // Placed before: a link that has the focus says beside it what it holds.
    redraw(box, map.svg, map.land, ...map.marks, map.words);
  });
}

function opened(box) {
  const stage = box.querySelector(".stage");
  const map = { svg: stage.querySelector("svg"), home: "", width: 0, height: 0 };
  maps.set(box, map);
  const zoomed = document.createElement("div");
  zoomed.className = "atlas-zoom";
  const zooms = { zoom: (by) => zoom(map, by), fit: () => view(map, ...whole(map)), by: 1.5, all: "Show all" };
  zoomed.append(...zoomButtons(zooms));
  stage.append(zoomed);
  gestures(map.svg, stage, {
    zoom: (by, x, y) => zoom(map, by, x, y),
    move: (dx, dy) => view(map, map.k, map.x - dx / scale(map), map.y - dy / scale(map)),
    moving: () => hide(box),
    // The map is in use now: the wheel zooms it.
    tapped: (target) => { if (!target.closest("a")) stage.focus({ preventScroll: true }); },
  });
  stage.tabIndex = -1;
  stage.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (zoomedByKey(event.key, zooms)) event.preventDefault();
  };
  return map;
}

function build(map) {
  const { data } = map;
  map.svg.setAttribute("aria-label", data.caption);
  map.land = shape("path", { class: "land", d: data.land });
  map.marks = data.points.map((one, at) => {
    const parts = [shape("circle", { r: one.r, fill: one.colour })];
    if (one.glyph && one.r > MARKED) {
      const glyph = shape("text", { y: 4, "text-anchor": "middle", "aria-hidden": "true" }, one.glyph);
      glyph.style.fill = one.ink;
      parts.push(glyph);
    }
    return link(one.href, at, one.said, ...parts);
  });
  map.words = shape("g", { class: "words", "aria-hidden": "true" });
  const home = JSON.stringify(data.view);
  if (map.home !== home) aim(map, ...whole(map));
  map.home = home;
}

/** Pixels of a unit of the map. */
function scale(map) {
  return (map.k * map.width) / map.data.width;
}

/** The view that shows all places. */
function whole(map) {
  const [x, y, width, height] = map.data.view;
  return [Math.min(map.data.width / width, map.data.height / height), x + width / 2, y + height / 2];
}

/** The map `k` times as large as the whole country, with a point of it in the middle. */
function aim(map, k, x, y) {
  const { width, height } = map.data;
  map.k = Math.max(1, Math.min(NEAREST, k));
  map.x = Math.max(0, Math.min(width, x));
  map.y = Math.max(0, Math.min(height, y));
}

function view(map, k, x, y) {
  aim(map, k, x, y);
  map.frame ||= requestAnimationFrame(() => place(map));
}

function zoom(map, by, x = map.width / 2, y = map.height / 2) {
  const before = scale(map);
  const k = Math.max(1, Math.min(NEAREST, map.k * by));
  const after = (before * k) / map.k;
  // What lies under the pointer stays there.
  const [dx, dy] = [x - map.width / 2, y - map.height / 2];
  view(map, k, map.x + dx / before - dx / after, map.y + dy / before - dy / after);
}

/** Brings a place that a key goes to into view. */
function reached(map, mark) {
  const one = mark && map.data.points[mark.dataset.at];
  if (one && !seen(map, at(map, one), -20)) {
    aim(map, map.k, one.x, one.y);
    place(map);
  }
  return mark;
}

/** Where a place is on the stage. */
function at(map, one) {
  return { x: map.width / 2 + (one.x - map.x) * scale(map), y: map.height / 2 + (one.y - map.y) * scale(map), r: one.r };
}

function seen(map, { x, y }, margin) {
  return x > -margin && x < map.width + margin && y > -margin && y < map.height + margin;
}

function place(map) {
  map.frame = 0;
  if (!map.width) return;
  const origin = at(map, { x: 0, y: 0 });
  map.land.setAttribute("transform", `translate(${origin.x},${origin.y}) scale(${scale(map)})`);
  const taken = new Grid();
  const near = [];
  map.data.points.forEach((one, number) => {
    const spot = at(map, one);
    map.marks[number].setAttribute("transform", `translate(${spot.x.toFixed(1)},${spot.y.toFixed(1)})`);
    if (!seen(map, spot, 40)) return;
    near.push([one, spot]);
    if (one.r > MARKED) taken.add(spot.x - one.r, spot.y - one.r, spot.x + one.r, spot.y + one.r);
  });
  const names = [];
  const named = new Set();
  near.sort(([one], [other]) => Boolean(other.first) - Boolean(one.first) || other.r - one.r);
  for (const [one, spot] of near) {
    if (names.length >= NAMED * map.k) break;
    if (named.has(one.name)) continue;
    const found = free(taken, spot, width(one.name), false, map.width);
    if (!found) continue;
    named.add(one.name);
    names.push(shape("text", { x: found[0], y: found[1] + LETTERS }, one.name));
  }
  map.words.replaceChildren(...names);
}
