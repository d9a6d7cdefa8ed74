// Keeps the address true on a busy server. Streamlit writes what a run makes of its path and query
// to whatever address the browser shows when the message arrives, and by then a reader may have
// gone on: to another page, or back. Such a write is dropped; the run for the address on screen
// writes its own.
//
// What a run is for is said by the first title that it sets (app.py), with tabs between: where the
// browser was when it asked for the run, and the path of the page that is drawn.

/** Watches what Streamlit writes, once in the life of a tab. */
function keepTrue() {
  window.atlasAddress ??= watched();
}

function watched() {
  // Addresses since the reader went anywhere, by a link or by Back; the one that the run is for, and
  // its page; whether the reader has done anything on it.
  const first = place(location);
  const known = { shown: first, trail: new Set([first]), asked: first, page: "", used: false };
  for (const kind of ["click", "drop", "input", "keydown", "pointerdown", "wheel"]) {
    addEventListener(kind, () => known.used = true, { capture: true, passive: true });
  }
  const words = document.querySelector("title");
  Object.defineProperty(document, "title", {
    configurable: true,
    get: () => words.textContent,
    set(title) {
      const [shown, asked, page] = title.split("\t");
      if (asked) Object.assign(known, { asked: place(new URL(asked, location.href)), page });
      words.textContent = shown;
    },
  });
  addEventListener("popstate", () => {
    // A link within the page asks for no run.
    if (location.hash && place(location) === known.shown) return;
    known.shown = place(location);
    known.trail = new Set([known.shown]);
    known.used = false;
  });
  // A link of Streamlit's asks for a run from here, with the query that the link has.
  document.addEventListener("click", ({ target }) => {
    const link = target.closest?.("a[href]");
    if (link) known.trail.add(place({ pathname: location.pathname, search: link.search }));
  }, true);
  const replace = history.replaceState.bind(history);
  for (const name of ["pushState", "replaceState"]) {
    const write = history[name].bind(history);
    history[name] = (state, unused, url) => {
      // Streamlit's state is an empty object.
      const streamlit = state && !Object.keys(state).length;
      if (streamlit && late(known, new URL(url, location.href))) return;
      const path = location.pathname;
      // A page that writes its address in another form is no step of its own, or Back would lead
      // to where it is written again.
      (streamlit && !known.used ? replace : write)(state, unused, url);
      if (!streamlit || location.pathname !== path) known.used = false;
      known.shown = place(location);
      known.trail.add(known.shown);
    };
  }
  return known;
}

function late({ trail, asked, page }, to) {
  if (!asksFrom(trail, asked, page) || place(to) === place(location)) return true;
  // Streamlit writes a page a moment after its message: the reader may have left it by then. And the
  // query of a page that is still to come does not belong to the page on screen.
  return page !== "" && !to.pathname.endsWith(page);
}

/** Whether a run was asked for since the reader went anywhere. One that was sent on to another page
 * by the server names the query of that page, behind the path of the one before. */
function asksFrom(trail, asked, page) {
  if (trail.has(asked)) return true;
  const path = asked.split("?")[0];
  return page !== "" && !path.endsWith(page) && [...trail].some(one => one.split("?")[0] === path);
}

function place({ pathname, search }) {
  return `${pathname}?${new URLSearchParams(search)}`;
}
