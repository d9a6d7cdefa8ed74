// Says that the browser has no WebGL, where it has none; how wide the page is, where the server holds it for another
// width; and which part of a map shows, once a reader has moved it (components/properties/webgl.py). The wheel over a map
// scrolls the page; with Ctrl it zooms the map, as the buttons do.

/** Pixels of the wheel that one press is worth. */
const STEP = 240;
/** Milliseconds between two looks at a map: one that is the same twice rests. */
const PAUSE = 400;
/** Milliseconds for which a map moves after it was let go. */
const MOVES = 3000;

export default function ({ data, parentElement, setTriggerValue }) {
  const first = !parentElement.atlasMap;
  const map = (parentElement.atlasMap ??= {});
  // One that was begun again moves by itself.
  if (map.key !== data.map) Object.assign(map, { key: data.map, seen: "", sent: "", touched: -MOVES });
  map.moves = data.moves;
  const here = () => document.querySelector(`.st-key-${CSS.escape(map.key)} canvas`);
  const touch = () => (map.touched = performance.now());
  const zoom = (by) => {
    touch();
    turn(here(), by > 1 ? -STEP : STEP);
  };
  const bar = parentElement.querySelector(".atlas-zoom");
  if (first) bar.prepend(...zoomButtons({ zoom, fit: () => setTriggerValue("whole", true), by: 2, all: "Show all" }));
  bar.querySelector("button:last-of-type").hidden = !data.moves;
  if (!first) return;

  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) setTriggerValue("missing", true);
  else context.getExtension("WEBGL_lose_context")?.loseContext(); // browsers give only so many
  const wide = window.innerWidth;
  const page = wide < 700 ? "narrow" : wide < 1250 ? "middle" : "wide";
  if (context && page !== data.page) setTriggerValue("page", page);

  const over = (event) => event.target.closest?.(`.st-key-${CSS.escape(map.key)}`);
  const wheel = (event) => {
    if (!over(event)) return;
    if (event.ctrlKey || event.metaKey) touch();
    else event.stopPropagation();
  };
  const used = (event) => {
    if ((event.buttons || event.type === "keydown") && over(event)) touch();
  };
  const look = () => {
    const now = map.moves ? sides(here()) : "";
    const rests = now === map.seen;
    map.seen = now;
    map.sent ||= now; // what the map shows first
    if (!now || !rests || now === map.sent) return;
    const moved = performance.now() - map.touched < MOVES;
    map.sent = now;
    if (moved) setTriggerValue("moved", now);
  };
  const left = new AbortController();
  const heard = { capture: true, passive: true, signal: left.signal };
  document.addEventListener("wheel", wheel, heard);
  for (const kind of ["pointermove", "keydown"]) document.addEventListener(kind, used, heard);
  const looks = setInterval(look, PAUSE);
  return () => {
    clearInterval(looks);
    left.abort();
  };
}

/** Turns the wheel over the middle of a map by so many pixels, with Ctrl. */
function turn(canvas, deltaY) {
  if (!canvas) return;
  const box = canvas.getBoundingClientRect();
  const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
  canvas.dispatchEvent(new WheelEvent("wheel", { ...at, deltaY, ctrlKey: true, bubbles: true, cancelable: true }));
}

/**
 * West, south, east and north of what shows, in degrees with commas; empty where that is not known. Streamlit does not
 * say it: it is read from what React keeps of the chart. Where another version keeps it elsewhere, a map that is moved
 * stays out of the address, and nothing else changes.
 */
function sides(canvas) {
  const parts = [];
  for (let element = canvas; element; element = element.parentElement) parts.push(element);
  const kept = (element) => element[Object.keys(element).find((key) => key.startsWith("__reactFiber"))];
  let fiber = parts.map(kept).find(Boolean);
  for (let up = 0; fiber && !fiber.memoizedProps?.viewState && up < 20; up++) fiber = fiber.return;
  const view = fiber?.memoizedProps?.viewState;
  if (!Number.isFinite(view?.zoom)) return "";
  const pixels = (512 * 2 ** view.zoom) / 360;
  const [across, up] = [canvas.clientWidth / pixels / 2, canvas.clientHeight / pixels / 2];
  const turn = Math.PI / 180;
  const middle = Math.asinh(Math.tan(view.latitude * turn)) / turn;
  const latitude = (y) => Math.atan(Math.sinh(y * turn)) / turn;
  const found = [view.longitude - across, latitude(middle - up), view.longitude + across, latitude(middle + up)];
  return found.map((one) => one.toFixed(3)).join();
}
