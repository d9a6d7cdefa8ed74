// The search box of the band (components/frame/navigation.py), and below it what the letters in it
// may mean (components/frame/search.py). Whatever comes from data is set as text.

/** Milliseconds without a key before the letters are asked for. */
const PAUSE = 180;
const state = new WeakMap();
/** What an action needs on the page: without it, it is not listed. */
const TARGETS = { "#export": '[class*="-export"] button', "#watch": ".st-key-watch input" };
/** What the browser does by itself, by the address that stands for it. */
const ACTIONS = {
  "#copy": copyLink,
  "#export": () => document.querySelector(TARGETS["#export"]).focus(),
  "#watch": () => document.querySelector(TARGETS["#watch"]).click(),
  "#print": () => print(),
  "#shortcuts": () => document.querySelector(".atlas-shortcuts").showModal(),
  "#theme": () => turnTheme(document.querySelector(".atlas-navigation").paths),
  "#tour": () => tour(),
};
/** The buttons of the band, and what each of them does. */
const BUTTONS = { ".copy": "#copy", ".help": "#shortcuts", ".theme": "#theme", ".tour": "#tour" };

/** Copies the address of the page; browsers have no clipboard for pages that came over plain HTTP. */
async function copyLink() {
  const button = document.querySelector(".atlas-navigation .copy");
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    window.prompt("The link to this page", location.href);
  }
  setTimeout(() => (button.textContent = "Copy link"), 2000);
}

/** Makes the box work; what it returns ends that. */
function searching(box, data, setTriggerValue) {
  const [input, list] = box.children;
  const own = state.get(box) ?? { at: -1, timer: 0 };
  state.set(box, own);
  input.placeholder = data.hint;
  input.setAttribute("aria-label", data.hint);

  const options = () => [...list.querySelectorAll("[role=option]")];
  const close = () => {
    list.hidden = true;
    own.at = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const open = (option) => {
    clearTimeout(own.timer);
    input.value = "";
    close();
    input.blur();
    const action = ACTIONS[option.dataset.href];
    if (action) action();
    else setTriggerValue("opened", option.dataset.href);
  };
  const point = (to) => {
    const many = options().length;
    if (!many) return;
    own.at = (to + many) % many;
    pointed(input, list, own.at, (one, here) => one.setAttribute("aria-selected", String(here)));
  };

  input.oninput = () => {
    clearTimeout(own.timer);
    const text = input.value.trim();
    if (!text) begin();
    else if (text.length < 2) close();
    else own.timer = setTimeout(() => setTriggerValue("asked", text), PAUSE);
  };
  input.onkeydown = (event) => {
    if (event.key === "Escape") {
      close();
      input.blur();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      point(own.at + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter" && !list.hidden && shown() === input.value.trim()) {
      event.preventDefault(); // or it would press what the action puts the focus on
      const every = options();
      if (every.length) open(every[Math.max(own.at, 0)]);
    }
  };
  input.onblur = () => setTimeout(close, 150);
  list.onmousedown = (event) => {
    const option = event.target.closest("[role=option]");
    if (option) {
      event.preventDefault();
      open(option);
    }
  };

  // What the list was drawn for: the letters that were asked for, or none.
  const shown = () => (input.value.trim() ? data.text : "");
  const begin = () => {
    list.replaceChildren(...drawn({ groups: data.begin ?? [] }));
    list.hidden = !options().length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    own.at = -1;
  };

  if (document.activeElement === input && data.text && data.text === input.value.trim()) {
    list.replaceChildren(...drawn(data));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    point(0);
  }

  const slash = (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable=true]");
    if (event.key === "?" && !typing) return ACTIONS["#shortcuts"]();
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    begin();
  };
  document.removeEventListener("keydown", own.slash);
  own.slash = slash;
  document.addEventListener("keydown", slash);
  return () => document.removeEventListener("keydown", own.slash);
}

function drawn(data) {
  const rows = [];
  if (!data.groups.length) rows.push(item("presentation", data.none));
  for (const group of data.groups) {
    const there = group.rows.filter(({ href }) => !(href in TARGETS) || document.querySelector(TARGETS[href]));
    if (there.length) rows.push(item("presentation", group.label));
    for (const row of there) {
      const option = item("option", row.label);
      option.id = `atlas-search-${rows.length}`;
      option.dataset.href = row.href;
      if (row.detail) {
        const detail = document.createElement("span");
        detail.textContent = row.detail;
        option.append(detail);
      }
      rows.push(option);
    }
  }
  return rows;
}

function item(role, text) {
  const element = document.createElement("li");
  element.setAttribute("role", role);
  element.textContent = text;
  return element;
}
