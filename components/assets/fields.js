// Draws the fields that components/frame/field_bar.py sends, and the choice of further ones.
// Whatever comes from data is set as text or as the value of one named attribute. Streamlit calls
// the default function again on the same element whenever the data has changed: a field that is
// there already stays, with the focus and what is being typed in it.

const own = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const bar = parentElement.querySelector(".atlas-fields");
  bar.setAttribute("aria-label", data.label);
  const there = new Map([...bar.children].map((field) => [field.dataset.name, field]));
  let fresh = null;
  data.fields.forEach((field, at) => {
    const old = there.get(field.name);
    const box = old ?? made(field);
    if (!old && there.size) fresh ??= box;
    there.delete(field.name);
    if (bar.children[at] !== box) bar.insertBefore(box, bar.children[at] ?? null);
    const give =
      field.kind === "add"
        ? ([word]) => {
            bar.dataset.adding = word;
            setTriggerValue("added", word);
          }
        : (value) => setTriggerValue("changed", { name: field.name, value });
    update(box, field, give);
  });
  for (const gone of there.values()) gone.remove();
  opener(parentElement.querySelector(".atlas-fields-open"), bar, data);
  // What was just added is there to be filled in; a field that came with another choice is not.
  if (!fresh) return;
  if (bar.dataset.adding && bar.contains(document.activeElement)) fresh.querySelector("input").focus();
  delete bar.dataset.adding;
}

/** Of fields that fold, a narrow page shows those that are set, and a button for all of them. */
function opener(button, bar, { label, folds }) {
  const set = bar.querySelectorAll(":scope > .set").length;
  button.textContent = set ? `${label} (${set})` : label;
  button.hidden = !folds;
  button.onclick = () => button.setAttribute("aria-expanded", String(button.ariaExpanded !== "true"));
}

function made(field) {
  const id = `atlas-field-${field.name || "add"}`;
  const box = element("div", "field");
  box.dataset.name = field.name;
  const label = Object.assign(element("label", "", field.label), { htmlFor: id });
  const head = element("div", "head");
  head.append(label);
  if (field.help) head.append(help(field.help));
  const input = Object.assign(element("input"), { id, autocomplete: "off", spellcheck: false });
  const control = element("div", "control");
  const clear = Object.assign(element("button", "clear", "×"), { type: "button" });
  clear.setAttribute("aria-label", `Clear ${field.label}`);
  control.append(input);
  if (field.kind !== "day") control.append(clear);
  box.append(head, control);
  own.set(box, { input, control, clear });
  KINDS[field.kind].made(own.get(box), field);
  return box;
}

function update(box, field, give) {
  const state = own.get(box);
  Object.assign(state, { field, give });
  state.input.disabled = field.disabled;
  state.input.placeholder = field.empty;
  box.className = `field ${field.kind}${field.wide ? " wide" : ""}${field.bare ? " bare" : ""}`;
  const set = field.chosen ? field.chosen.length > 0 : field.value !== "";
  box.classList.toggle("set", set && field.kind !== "add" && !field.required);
  KINDS[field.kind].update(state);
}

const typed = {
  made(state, field) {
    const { input, clear } = state;
    if (field.kind === "letters") input.maxLength = field.longest;
    if (field.kind === "number") Object.assign(input, { role: "spinbutton", inputMode: "decimal" });
    // Not when it changes: an arrow key changes what stands there, of which a browser says nothing.
    input.onblur = () => commit(state);
    input.onkeydown = (event) => {
      if (event.key === "Enter") commit(state);
      if (field.kind === "number" && /^Arrow(Up|Down)$/.test(event.key)) {
        event.preventDefault();
        step(state, event.key === "ArrowUp" ? 1 : -1);
      }
    };
    input.oninput = () => (state.dirty = true);
    clear.onclick = () => {
      input.value = "";
      state.dirty = true;
      commit(state);
      input.focus();
    };
  },
  update(state) {
    const { input, field } = state;
    if (field.kind === "number") input.ariaValueNow = number(field.value);
    if (state.dirty && document.activeElement === input) return;
    state.dirty = false;
    input.value = field.value;
    wrong(state, "");
  },
};

const day = {
  made(state) {
    state.input.type = "date";
    state.input.onchange = () => {
      state.dirty = true;
      commit(state);
    };
  },
  update({ input, field }) {
    input.min = field.low;
    input.max = field.high;
    if (document.activeElement !== input || field.value !== "") input.value = field.value;
  },
};

const picked = {
  made(state) {
    const { input, control, clear } = state;
    const list = Object.assign(element("ul"), { id: `${input.id}-list`, hidden: true, tabIndex: -1 });
    list.setAttribute("role", "listbox");
    control.append(element("span", "caret"), list);
    for (const [name, value] of [["role", "combobox"], ["aria-controls", list.id],
      ["aria-autocomplete", "list"], ["aria-expanded", "false"]]) input.setAttribute(name, value);
    Object.assign(state, { list, at: -1 });
    input.onfocus = () => open(state);
    input.onclick = () => open(state);
    input.onblur = () => close(state);
    input.oninput = () => {
      state.at = 0;
      open(state);
      listed(state);
    };
    input.onkeydown = (event) => keyed(state, event);
    list.onmousedown = (event) => {
      event.preventDefault();
      const option = event.target.closest("[role=option]");
      if (option) choose(state, option.dataset.word);
    };
    clear.onclick = () => {
      state.field.chosen = [];
      state.give([]);
    };
  },
  update(state) {
    state.list.setAttribute("aria-label", state.field.label);
    if (state.field.kind === "several") state.list.setAttribute("aria-multiselectable", "true");
    if (state.list.hidden) said(state);
    else listed(state);
  },
};

const KINDS = { several: picked, one: picked, add: picked, number: typed, letters: typed, day };

/** Sends what was filled in, once; what is no number stays there, with what is wrong. */
function commit(state) {
  const { input, field, give } = state;
  if (!state.dirty) return;
  // A year is typed digit by digit, and each is a day of its own: 0002, 0020.
  if (field.kind === "day" && !input.validity.valid) return;
  let value = input.value.trim() || null;
  if (field.kind === "number" && value !== null) {
    value = number(value);
    if (value === null || value < field.low || value > field.high) {
      wrong(state, field.fault);
      return;
    }
    if (field.whole) value = Math.round(value);
  }
  wrong(state, "");
  state.dirty = false;
  const before = field.value === "" ? null : field.kind === "number" ? number(field.value) : field.value;
  if (value !== before) give(value);
  // The page may already hold what stood there: the browser does not know.
  if (value === before || (value === null && field.required)) input.value = field.value;
}

/** 2,500,000 · 2.5m · 1.2bn · $5m · 65% · −25 bp: a number, or null. */
function number(text) {
  const bare = text.toLowerCase().replaceAll("−", "-").replace(/[$,%\s]|usd|bp$|x$|months?$/g, "");
  const found = /^(-?(?:\d+\.?\d*|\.\d+))(k|m|mm|b|bn)?$/.exec(bare);
  if (!found) return null;
  return Number(found[1]) * { k: 1e3, m: 1e6, mm: 1e6, b: 1e9, bn: 1e9, "": 1 }[found[2] ?? ""];
}

function step(state, by) {
  const { input, field } = state;
  const from = number(input.value) ?? 0;
  const to = Math.min(field.high, Math.max(field.low, from + by * field.step));
  input.value = String(Number(to.toFixed(6)));
  state.dirty = true;
}

function wrong({ input, control }, said) {
  control.querySelector(".fault")?.remove();
  input.setAttribute("aria-invalid", String(said !== ""));
  if (!said) return;
  const fault = element("p", "fault", said);
  fault.setAttribute("role", "alert");
  control.append(fault);
}

function open(state) {
  if (!state.list.hidden || state.field.disabled) return;
  // What is chosen stands first, and stays there while the list is open.
  state.first = new Set(state.field.chosen);
  state.at = -1;
  state.list.hidden = false;
  state.input.value = "";
  state.input.setAttribute("aria-expanded", "true");
  listed(state);
  const room = document.documentElement.clientWidth - state.control.getBoundingClientRect().left;
  state.list.classList.toggle("leftward", state.list.offsetWidth > room);
}

function close(state) {
  if (state.list.hidden) return;
  state.list.hidden = true;
  state.list.replaceChildren();
  state.input.setAttribute("aria-expanded", "false");
  state.input.removeAttribute("aria-activedescendant");
  said(state);
}

/** What is chosen, in the closed field: the first, and how many more. */
function said({ input, field }) {
  const labels = field.options.filter((one) => field.chosen.includes(one.word)).map((one) => one.label);
  const more = labels.length > 1 ? ` +${labels.length - 1}` : "";
  input.value = labels.length ? `${labels[0]}${more}` : "";
  input.title = labels.join(", ");
}

function listed(state) {
  const { field, list, input } = state;
  const letters = input.value.trim().toLowerCase();
  const fits = field.options.filter((one) => one.label.toLowerCase().includes(letters));
  const shown = [...fits.filter((one) => state.first.has(one.word)), ...fits.filter((one) => !state.first.has(one.word))];
  list.replaceChildren(...shown.map((one, at) => option(one, at, state)));
  if (!shown.length) list.append(Object.assign(element("li", "", "Nothing like it"), { role: "presentation" }));
  state.at = Math.min(state.at, shown.length - 1);
  point(state, state.at);
}

function option({ word, label, count }, at, { field, list }) {
  const row = element("li");
  row.id = `${list.id}-${at}`;
  row.dataset.word = word;
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", String(field.chosen.includes(word)));
  if (field.kind !== "add") row.append(element("span", "mark", field.chosen.includes(word) ? "✓" : ""));
  row.append(element("span", "", label));
  if (count) row.append(" ", element("span", "count", count));
  return row;
}

function point(state, at) {
  state.at = at;
  pointed(state.input, state.list, at, (row, here) => row.classList.toggle("here", here));
}

function keyed(state, event) {
  const rows = state.list.querySelectorAll("[role=option]");
  if (event.key === "Escape") {
    close(state);
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    if (state.list.hidden) open(state);
    else if (rows.length) point(state, (state.at + (event.key === "ArrowDown" ? 1 : -1) + rows.length) % rows.length);
  } else if (event.key === "Enter" && !state.list.hidden && rows.length) {
    const at = state.at < 0 && rows.length === 1 ? 0 : state.at;
    if (at >= 0) choose(state, rows[at].dataset.word);
  }
}

function choose(state, word) {
  const { field } = state;
  const had = field.chosen.includes(word);
  if (had && field.required) return close(state);
  if (field.kind === "several") {
    field.chosen = had ? field.chosen.filter((one) => one !== word) : [...field.chosen, word];
    state.input.value = "";
    listed(state);
  } else {
    field.chosen = had || field.kind === "add" ? [] : [word];
    close(state);
  }
  state.give(field.kind === "add" ? [word] : field.chosen);
}

function help(said) {
  const sign = element("span", "help", "?");
  const tip = element("span", "tip", said);
  tip.setAttribute("aria-hidden", "true");
  for (const [name, value] of [["tabindex", "0"], ["role", "img"], ["aria-label", said]]) sign.setAttribute(name, value);
  sign.append(tip);
  return sign;
}

function element(tag, class_ = "", text = "") {
  const one = document.createElement(tag);
  if (class_) one.className = class_;
  if (text) one.textContent = text;
  return one;
}
