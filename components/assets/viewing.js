// What drawings share that are zoomed and moved: the graph and the map of places. Wheel, drag and two
// fingers; and labels, as many as fit without covering each other or what they name.

/** Pixels of a label's letters. */
const LETTERS = 11;

const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();

/** How wide a label is, in a weight of its font. */
function width(text, weight = 400) {
  const key = `${weight} ${text}`;
  if (!widths.has(key)) {
    pen.font = `${weight} ${LETTERS}px sans-serif`;
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}

/** Where a label `w` wide fits beside a place of radius r that no box of the grid covers: left and top. */
function free(taken, one, w, must, wide) {
  const h = LETTERS + 3;
  const gap = one.r + 3;
  const spots = [
    [one.x - w / 2, one.y + gap], [one.x + gap + 2, one.y - h / 2], [one.x - gap - 2 - w, one.y - h / 2], [one.x - w / 2, one.y - gap - h],
  ];
  const inside = spots.filter(([left]) => left > 0 && left + w < wide);
  const spot = inside.find(([left, top]) => !taken.hits(left, top, left + w, top + h)) ?? (must ? spots[0] : null);
  if (spot) taken.add(spot[0], spot[1], spot[0] + w, spot[1] + h);
  return spot;
}

/** Boxes on the screen, in squares of 64 pixels. */
class Grid {
  squares = new Map();

  * at(left, top, right, bottom) {
    for (let i = left >> 6; i <= right >> 6; i += 1) for (let j = top >> 6; j <= bottom >> 6; j += 1) yield i * 4096 + j;
  }

  add(...edges) {
    for (const key of this.at(...edges)) {
      if (!this.squares.has(key)) this.squares.set(key, []);
      this.squares.get(key).push(edges);
    }
  }

  hits(left, top, right, bottom) {
    for (const key of this.at(left, top, right, bottom)) {
      for (const [l, t, r, b] of this.squares.get(key) ?? []) if (left < r && right > l && top < b && bottom > t) return true;
    }
    return false;
  }
}

/**
 * Makes a drawing in a stage answer to mouse and fingers: `zoom(by, x, y)` around a point of it, or its
 * middle where none is named; `move(dx, dy)`; `moving()` whenever it moves; `tapped(element)` for a
 * click that was no drag. Lengths are pixels.
 */
function gestures(svg, stage, { zoom, move, moving, tapped }) {
  const fingers = new Map();
  let [dragged, from] = [0, null];
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  svg.onwheel = (event) => {
    // The page scrolls on until the drawing is in use: else nobody gets past it.
    if (!event.ctrlKey && !stage.contains(document.activeElement)) return;
    event.preventDefault();
    const at = svg.getBoundingClientRect();
    moving();
    zoom(1.0015 ** -event.deltaY, event.clientX - at.left, event.clientY - at.top);
  };
  // A link that is dragged would be carried away.
  svg.ondragstart = (event) => event.preventDefault();
  svg.onpointerdown = (event) => {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    [dragged, from] = [0, event.target];
  };
  svg.onpointermove = (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const wide = fingers.size === 2 ? spread() : 0;
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    dragged += Math.abs(dx) + Math.abs(dy);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (dragged < 4) return;
    // Only now: a captured pointer's click would be the drawing's, not that of what lies under it.
    svg.setPointerCapture(event.pointerId);
    svg.classList.add("moving");
    moving();
    if (wide) zoom(spread() / wide);
    else move(dx, dy);
  };
  svg.onpointerup = svg.onpointercancel = (event) => {
    fingers.delete(event.pointerId);
    svg.classList.remove("moving");
    if (event.type === "pointerup" && dragged < 4) tapped(from);
  };
}

/** Buttons that zoom a drawing `by` so many times at each press, and show all of it: `all` says what. */
function zoomButtons({ zoom, fit, by, all }) {
  return [button("+", "Zoom in", () => zoom(by)), button("\u2212", "Zoom out", () => zoom(1 / by)), button("Fit", all, fit)];
}

/** Does what those buttons do for +, - and 0; whether the key was one of them. */
function zoomedByKey(key, { zoom, fit, by }) {
  const does = { "+": () => zoom(by), "=": () => zoom(by), "-": () => zoom(1 / by), 0: fit }[key];
  does?.();
  return Boolean(does);
}

/** A button, named for those who do not see it. */
function button(text, label, done) {
  const one = Object.assign(document.createElement("button"), { type: "button", textContent: text, title: label, onclick: done });
  one.setAttribute("aria-label", label);
  return one;
}
