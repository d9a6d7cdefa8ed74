// All that a browser keeps for Credit Atlas: light or dark, and that the tour was offered. Both are
// fixed words; nothing of the data is kept.

/** Turns the theme of all pages round, and loads this one again. Streamlit keeps a theme for each
 * path, reads it when a page is loaded, and offers no way to change it without its own menu. */
function turnTheme(paths) {
  const light = getComputedStyle(document.querySelector(".stApp")).colorScheme !== "dark";
  const wanted = light ? "Dark" : "Light";
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "Dark" : "Light";
  const root = new URL("./", location.href).pathname;
  for (const path of ["", ...paths]) {
    localStorage.setItem(`stActiveTheme-${root}${path}-v2`, JSON.stringify(wanted === system ? "System" : wanted));
  }
  location.reload();
}

/** Whether the tour is offered: in the tab of the first visit, until it is taken. */
function offersTour() {
  if (!localStorage.getItem("atlas-tour")) {
    localStorage.setItem("atlas-tour", "offered");
    sessionStorage.setItem("atlas-tour", "offered");
  }
  return Boolean(sessionStorage.getItem("atlas-tour"));
}

/** From now on the tour is offered no more. */
function tourTaken() {
  sessionStorage.removeItem("atlas-tour");
}
