// The tour: five places of a page, one after the other, each with a sentence.

const STOPS = [
  [".atlas-navigation .groups", "Five groups of pages",
   "Portfolio is the book, Signals what is wrong with it, Parties who is behind it, Work what you follow, Data where it comes from."],
  [".atlas-hero", "The worst comes first", "A page begins with a sentence that says how things are. The name of a loan opens its page."],
  [".atlas-navigation .atlas-search", "Ask in plain words",
   "A loan, a property, a party, a term, or filters: critical office in TX. The / key leads here from every page."],
  [".st-key-heading .atlas-badges", "What figures rest on", "Source and date. Point at them for more. Sources says what is loaded, and lists every rule with its limits."],
  [".atlas-navigation .help", "Keys and terms", "The ? key lists the keyboard shortcuts. The Glossary explains each term."],
];

/** Marks a place of the page, and no other. */
function ring(place) {
  document.querySelector(".toured")?.classList.remove("toured");
  place?.classList.add("toured");
}

/** Shows a stop of the tour; places that this page lacks are passed over. */
function tour(at = 0) {
  tourTaken();
  document.querySelector(".atlas-shortcuts").close();
  document.querySelector(".atlas-navigation .tour").hidden = true;
  const dialog = document.querySelector(".atlas-tour");
  const stops = STOPS.filter(([where]) => document.querySelector(where)?.checkVisibility());
  const stop = stops[at];
  const place = stop && document.querySelector(stop[0]);
  ring(place);
  if (!place) return dialog.close();
  const [head, words] = dialog.children;
  const [back, count, next] = dialog.lastElementChild.children;
  head.textContent = stop[1];
  words.textContent = stop[2];
  count.textContent = `${at + 1} of ${stops.length}`;
  next.textContent = at + 1 < stops.length ? "Next" : "Done";
  back.disabled = at === 0;
  back.onclick = () => tour(at - 1);
  next.onclick = () => tour(at + 1);
  dialog.onclose = () => ring();
  dialog.onkeydown = ({ key }) => {
    if (key === "Escape") dialog.close();
  };
  place.scrollIntoView({ block: "nearest" });
  if (!dialog.open) dialog.show();
  const { left, bottom } = place.getBoundingClientRect();
  dialog.style.left = `${Math.max(8, Math.min(left, innerWidth - dialog.offsetWidth - 8))}px`;
  dialog.style.top = `${Math.min(bottom + 10, innerHeight - dialog.offsetHeight - 8)}px`;
  next.focus();
}
