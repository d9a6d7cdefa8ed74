// What is drawn to the width of a window fits the width of a sheet while it is printed: what can be
// drawn again is (sized.js), the rest is made smaller by `--sheet` (paper.css).

/** Pixels of a card on a sheet: A4, the narrower of the usual two. */
const SHEET = 670;

window.onbeforeprint = () => {
  for (const one of document.querySelectorAll(".stPlotlyChart, .stDeckGlJsonChart")) {
    one.closest(".stElementContainer").style.setProperty("--sheet", Math.min(1, SHEET / one.offsetWidth));
  }
  settle(SHEET);
};
window.onafterprint = () => settle(Infinity);

function settle(most) {
  for (const box of document.querySelectorAll(".atlas-linked")) box.settle?.(Math.min(most, box.clientWidth));
}
