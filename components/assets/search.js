// The search box of the band (components/frame/navigation.py), and below it what the letters in it
// may mean (components/frame/search.py). Whatever comes from data is set as text.

/** Milliseconds without a key before the letters are asked for. */
const PAUSE = 180;
const state = new WeakMap();

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
    setTriggerValue("opened", option.dataset.href);
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
    if (text.length < 2) close();
    else own.timer = setTimeout(() => setTriggerValue("asked", text), PAUSE);
  };
  input.onkeydown = (event) => {
    if (event.key === "Escape") {
      close();
      input.blur();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      point(own.at + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter" && !list.hidden && data.text === input.value.trim()) {
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

  if (document.activeElement === input && data.text && data.text === input.value.trim()) {
    list.replaceChildren(...drawn(data));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    point(0);
  }

  const slash = (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable=true]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
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
    rows.push(item("presentation", group.label));
    for (const row of group.rows) {
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
