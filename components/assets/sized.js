// How wide a box is, for what is drawn to its width: tables, bars, maps.

const watched = new WeakMap();

/**
 * Calls `settle(width)` before the next frame is shown, and whenever the box has become wider or
 * narrower; what it returns ends that. Never at once: to ask for a width while a page is being
 * drawn makes the browser lay it out again for each that asks.
 */
function sized(box, settle) {
  let width = 0;
  watched.get(box)?.disconnect();
  box.settle = settle; // for paper.js: no box is observed while a page is printed
  const watcher = new ResizeObserver(([entry]) => {
    const now = Math.round(entry.contentRect.width);
    if (now === width) return;
    width = now;
    settle(width);
  });
  watcher.observe(box);
  watched.set(box, watcher);
  return () => watched.get(box)?.disconnect();
}

