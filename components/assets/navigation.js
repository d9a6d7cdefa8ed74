// Draws what components/frame/navigation.py sends: the pages in groups, and the search box of
// search.js. Whatever comes from data is set as text or as the value of one named attribute.
// Streamlit calls the default function again on the same element whenever the data has changed.

export default function ({ data, parentElement, setTriggerValue }) {
  keepTrue();
  const band = parentElement.querySelector(".atlas-navigation");
  const nav = band.querySelector("nav");
  const [all, list] = nav.children;
  // What is loaded can change while a page is open, and with it the pages that have something to show.
  const titles = data.groups.map(({ pages }) => pages.map(({ label }) => label)).join();
  if (list.dataset.titles !== titles) list.replaceChildren(...data.groups.map(group));
  list.dataset.titles = titles;
  data.groups.forEach((one, at) => mark(list.children[at], one));
  // The mark leads where the first page does, in the same scope.
  band.querySelector(".mark").setAttribute("href", data.groups[0].pages[0].href);

  const menus = () => [...band.querySelectorAll("button[aria-controls]")];
  // What a menu stands in stays open with it.
  const close = (but) =>
    menus()
      .filter((one) => one !== but && !one.parentElement.contains(but))
      .forEach((one) => expand(one, false));
  const sections = band.querySelector(".sections");
  signedIn(band.querySelector(".user"), data.user);
  band.querySelector(".tour").hidden = !offersTour();
  band.paths = data.paths;
  band.onclick = (event) => {
    if (event.target.closest(".skip")) {
      event.preventDefault();
      return skip();
    }
    const part = event.target.closest(".sections a");
    if (part) {
      event.preventDefault();
      close();
      return show(part.leadsTo);
    }
    const menu = event.target.closest("button[aria-controls]");
    if (menu?.parentElement === sections) menu.nextElementSibling.replaceChildren(...parts().map(partLink));
    if (menu) {
      close(menu);
      return expand(menu, menu.getAttribute("aria-expanded") !== "true");
    }
    const link = event.target.closest("a");
    for (const [button, action] of Object.entries(BUTTONS)) {
      if (event.target.closest(button)) return ACTIONS[action]();
    }
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    close();
    link.closest("dialog")?.close();
    visit(link.getAttribute("href"));
  };
  band.onkeydown = (event) => {
    const opened = menus().filter((one) => one.getAttribute("aria-expanded") === "true");
    if (event.key === "Escape" && opened.length) {
      close();
      opened.find((one) => one.offsetParent)?.focus();
    }
    walk(event, list);
  };
  // Late enough for a click on a link of the list to come first.
  for (const one of [nav, sections]) {
    if (one.dataset.watched) continue;
    one.dataset.watched = "yes";
    one.addEventListener("focusout", ({ relatedTarget }) => {
      if (!one.contains(relatedTarget)) setTimeout(() => one.contains(document.activeElement) || close(), 150);
    });
  }
  return searching(band.querySelector(".atlas-search"), data.search, setTriggerValue);
}

/** Puts the focus on the first row of the page's table, or on its heading where it has none. */
function skip() {
  show(document.querySelector(".atlas-ledger tbody a") ?? document.querySelector(".atlas-title"));
}

/** The headings under the page's own: what a long page can be walked by. */
function parts() {
  const found = [...document.querySelectorAll(".atlas-heading")];
  return found.filter((one) => one.checkVisibility() && one.textContent.trim());
}

function partLink(heading) {
  const row = document.createElement("li");
  const link = document.createElement("a");
  link.href = "#";
  link.textContent = heading.textContent;
  link.leadsTo = heading;
  row.append(link);
  return row;
}

/** Scrolls to an element under the band, and goes on by keyboard from there. */
function show(element) {
  if (!element.matches("a, button")) element.tabIndex = -1;
  element.style.scrollMarginTop = "4.5rem";
  element.scrollIntoView({ block: "start" });
  element.focus({ preventScroll: true });
}

/** Who is signed in, on the way to their access and to signing out. */
function signedIn(link, user) {
  link.hidden = !user;
  if (!user) return;
  link.setAttribute("href", user.href);
  link.textContent = user.name;
  link.title = `${user.name}, ${user.role}: your access, and sign out`;
}

function expand(menu, now) {
  menu.setAttribute("aria-expanded", String(now));
}

/** Arrow keys: down into the pages of a group and through them, left and right to the next group. */
function walk(event, list) {
  const here = event.target.closest("li");
  const menu = event.target.closest(".groups > li")?.querySelector("button");
  if (!here || !menu) return;
  const on = event.target === menu;
  const sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const along = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  let to = null;
  if (sideways) {
    const groups = [...list.children];
    to = groups.at((groups.indexOf(menu.parentElement) + sideways) % groups.length).querySelector("button");
  } else if (along && on) {
    expand(menu, true);
    to = menu.parentElement.querySelector("a");
  } else if (along) {
    to = (along > 0 ? here.nextElementSibling : here.previousElementSibling)?.firstElementChild ?? menu;
  }
  if (!to) return;
  event.preventDefault();
  to.focus();
}

function group({ label, pages }, at) {
  const row = document.createElement("li");
  const menu = document.createElement("button");
  menu.type = "button";
  menu.textContent = label;
  menu.setAttribute("aria-controls", `atlas-pages-${at}`);
  expand(menu, false);
  const list = document.createElement("ul");
  list.id = `atlas-pages-${at}`;
  list.setAttribute("aria-label", label);
  list.append(...pages.map(entry));
  row.dataset.label = label; // the head of the group where its menu is not drawn
  row.append(menu, list);
  return row;
}

/** Where the links of a group lead; marks the page on screen, and the group that it is in. */
function mark(row, { pages }) {
  row.classList.toggle("here", pages.some((page) => page.here));
  pages.forEach((page, at) => {
    const link = row.lastElementChild.children[at].firstElementChild;
    link.setAttribute("href", page.href);
    if (page.here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
}

function entry({ label }) {
  const link = document.createElement("a");
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
