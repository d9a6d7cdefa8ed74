// Draws what components/frame/navigation.py sends: the pages, and the search box of search.js.
// Whatever comes from data is set as text or as the value of one named attribute. Streamlit calls
// the default function again on the same element whenever the data has changed.

export default function ({ data, parentElement, setTriggerValue }) {
  const band = parentElement.querySelector(".atlas-navigation");
  const nav = band.querySelector("nav");
  const [button, list] = nav.children;
  const opened = (now) => button.setAttribute("aria-expanded", String(now));
  if (list.childElementCount !== data.pages.length) {
    list.replaceChildren(...data.pages.map(entry));
    // Late enough for a click on a link of the list to come first.
    nav.addEventListener("focusout", ({ relatedTarget }) => {
      if (!nav.contains(relatedTarget)) setTimeout(() => opened(false), 150);
    });
  }
  data.pages.forEach((page, at) => {
    const link = list.children[at].firstElementChild;
    if (page.here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });

  button.onclick = () => opened(button.getAttribute("aria-expanded") !== "true");
  band.onclick = (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    opened(false);
    visit(link.getAttribute("href"));
  };
  band.onkeydown = (event) => {
    if (event.key !== "Escape" || button.getAttribute("aria-expanded") !== "true") return;
    opened(false);
    button.focus();
  };
  return searching(band.querySelector(".atlas-search"), data.search, setTriggerValue);
}

function entry({ href, label }) {
  const link = document.createElement("a");
  link.href = href;
  link.textContent = label;
  const row = document.createElement("li");
  row.append(link);
  return row;
}

/** Opens a page as the browser's Back and Forward do: Streamlit follows, and reloads nothing. */
function visit(href) {
  history.pushState(null, "", href);
  dispatchEvent(new PopStateEvent("popstate"));
}
