// Draws what components/frame/paging.py sends: which rows these are, how many a page, which page.
// Whatever comes from data is set as text. Streamlit calls the default function again on the same
// element whenever the data has changed.

/** Pages up to which each has its button. */
const FEW = 7;

export default function ({ data, parentElement, setTriggerValue }) {
  const bar = parentElement.querySelector(".atlas-paging");
  const [said, sizes, pages] = bar.children;
  said.textContent = data.said;
  sizes.replaceChildren(...data.sizes.map((size) => new Option(`${size} rows`, size, false, size === data.size)));
  sizes.hidden = !data.sizes.length;
  sizes.onchange = () => setTriggerValue("size", Number(sizes.value));
  const focused = pages.contains(document.activeElement) ? document.activeElement.dataset.name : null;
  pages.replaceChildren(...buttons(data));
  pages.onclick = (event) => {
    const button = event.target.closest("button");
    if (button) setTriggerValue("page", Number(button.dataset.page));
  };
  if (focused === null) return;
  const same = [...pages.children].find((one) => one.dataset.name === focused && !one.disabled);
  (same ?? pages.querySelector("[aria-current]"))?.focus({ preventScroll: true });
}

function buttons({ page, pages }) {
  const shown = [];
  let last = 0;
  for (let at = 1; at <= pages; at += 1) {
    if (pages > FEW && at > 1 && at < pages && Math.abs(at - page) > 1) continue;
    if (at > last + 1) shown.push(Object.assign(document.createElement("span"), { textContent: "…" }));
    const one = button(String(at), at, `Page ${at}`);
    if (at === page) one.setAttribute("aria-current", "page");
    shown.push(one);
    last = at;
  }
  const before = button("‹", page - 1, "Previous page");
  const after = button("›", page + 1, "Next page");
  before.disabled = page <= 1;
  after.disabled = page >= pages;
  return [before, ...shown, after];
}

function button(text, page, label) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  made.setAttribute("aria-label", label);
  Object.assign(made.dataset, { page, name: label });
  return made;
}
