// Draws what components/frame/ledger.py sends as a table of the page's own. Whatever comes from
// data is set as text or as the value of one named attribute; nothing is ever read as HTML.
// Streamlit calls the default function again on the same element whenever the data or the theme
// has changed, and what it returns only once, when the element leaves the page.

/** Characters up to which a cell stands on one line. */
const LINE = 26;
/** Characters beyond which a cell shows its first lines, and the whole as its tooltip. */
const LONG = 200;
/** Milliseconds without a key before the record of the row is shown beside the list. */
const PAUSE = 120;
const waiting = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".atlas-ledger");
  const ticked = data.ticks ? [...data.ticks.ticked] : [];
  box.style.maxHeight = data.height ? `${data.height}px` : "";
  box.classList.toggle("low", Boolean(data.height));

  box.onclick = (event) => {
    const link = event.target.closest("a, button");
    if (link?.tagName === "BUTTON") {
      if (link.dataset.acts) setTriggerValue("acted", link.dataset.acts);
      else setTriggerValue("ordered", link.dataset.column);
    }
    const ours = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (link?.tagName === "A" && ours) {
      event.preventDefault();
      setTriggerValue("opened", link.getAttribute("href"));
    }
    const row = event.target.closest("tbody tr");
    const elsewhere = event.target.closest("a, button, .tick") || String(getSelection());
    if (data.beside && row && ours && !elsewhere) {
      row.querySelector("a").focus({ preventScroll: true });
      show(row);
    }
  };
  // Keys that are held down pass over rows: only the last one is asked for.
  const show = (row, after = 0) => {
    clearTimeout(waiting.get(box));
    waiting.set(box, setTimeout(() => setTriggerValue("shown", row?.dataset.record ?? ""), after));
  };
  box.onkeydown = (event) => {
    if (data.beside?.shown && event.key === "Escape") return show(null);
    if (data.beside && event.key === " " && event.target.tagName === "A") {
      event.preventDefault();
      return show(event.target.closest("tr"));
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target.closest("tbody tr");
    if (!step || !row) return;
    const kind = event.target.tagName;
    const next = (step > 0 ? row.nextElementSibling : row.previousElementSibling)?.querySelector(kind);
    if (next) {
      event.preventDefault();
      next.focus();
      if (data.beside?.shown) show(next.closest("tr"), PAUSE);
    }
  };
  box.onchange = (event) => {
    const name = event.target.dataset.record;
    if (event.target.checked) ticked.push(name);
    else ticked.splice(ticked.indexOf(name), 1);
    limit(box, ticked, data.ticks.most);
    setTriggerValue("ticked", [...ticked]);
  };

  draw(box, data, ticked);
  return sized(box, () => {
    if (fit(box)) draw(box, data, ticked);
  });
}

/**
 * Lets the box scroll where the table does not fit; where it does, its head stays under the page's.
 * Returns whether this has changed: how wide the table must be does not depend on the order of its
 * columns. A box that scrolls is lower, so that the page may lose its own bar and the box gain its
 * width: it goes on scrolling until there is room to spare.
 */
function fit(box) {
  const [table] = box.children;
  const before = box.classList.contains("scrolls");
  box.classList.remove("scrolls");
  // How much room there is to spare: else a table that fits is as wide as its box.
  if (before) table.style.width = 0;
  const scrolls = table.offsetWidth > box.clientWidth - (before ? 24 : 0);
  table.style.width = "";
  box.classList.toggle("scrolls", scrolls);
  return scrolls !== before;
}

function limit(box, ticked, most) {
  for (const one of box.querySelectorAll("input")) {
    one.disabled = ticked.length >= most && !one.checked;
  }
}

function draw(box, data, ticked) {
  const stops = () => [...box.querySelectorAll("a, button, input")];
  const place = stops().indexOf(document.activeElement);
  const focused = document.activeElement.dataset;
  const [table] = box.children;
  const [first, ...rest] = data.columns.keys();
  const short = (at) => data.columns[at].short;
  const columns = box.classList.contains("scrolls")
    ? [first, ...rest.filter(short), ...rest.filter((at) => !short(at))]
    : [first, ...rest];
  table.caption.textContent = data.caption;
  const heads = columns.map((at) => head(data.columns[at], data.order));
  heads[0].classList.add("name");
  const rows = data.rows.map((row) => {
    const tr = document.createElement("tr");
    tr.dataset.record = row.record;
    if (data.beside?.shown === row.record) tr.setAttribute("aria-current", "true");
    tr.append(...columns.map((at) => cell(data.columns[at], row.cells[at], at ? null : row, row.lines?.[at] && drawn(box, row.lines[at]), row.grades?.[at], row.bars?.[at], row.under?.[at], row.stacks?.[at], row.tints?.[at])));
    return tr;
  });
  if (data.ticks) {
    const th = made("th", "tick", "");
    th.scope = "col";
    th.append(made("span", "unseen", data.ticks.label));
    heads.unshift(th);
    rows.forEach((tr, at) => tr.prepend(tick(data.rows[at], data.ticks.label, ticked)));
  }
  if (data.act) {
    heads.push(made("td", "act", ""));
    rows.forEach((tr, at) => tr.append(acts(data.rows[at].record, data.act)));
  }
  table.tHead.rows[0].replaceChildren(...heads);
  table.tBodies[0].replaceChildren(...rows);
  if (data.ticks) limit(box, ticked, data.ticks.most);
  if (place >= 0) {
    // Where it was; if something else stands there now, where the same has moved to.
    const same = (one) => ["column", "record", "opens", "acts"].every((key) => one?.dataset[key] === focused[key]);
    const now = stops();
    // Where a row has gone by its own button, the next row's button has the focus.
    const next = focused.acts && now[place]?.dataset.acts ? now[place] : null;
    (same(now[place]) ? now[place] : now.find(same) ?? next)?.focus({ preventScroll: true });
  }
}

function made(tag, kind, text) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  element.textContent = text;
  return element;
}

function kinds(column) {
  return [column.right && "right", column.short && "short"].filter(Boolean).join(" ");
}

function head(column, order) {
  const th = made("th", kinds(column), "");
  th.scope = "col";
  if (column.help) th.title = column.help;
  if (!column.order) {
    th.textContent = column.label;
    return th;
  }
  const sorted = { [column.name]: "ascending", [`-${column.name}`]: "descending" }[order];
  th.setAttribute("aria-sort", sorted ?? "none");
  const button = made("button", "", column.label);
  button.type = "button";
  button.dataset.column = column.name;
  if (column.help) button.setAttribute("aria-description", column.help);
  th.append(button);
  return th;
}

/** A cell; the first one of a row is given the row, whose record it opens. */
function cell(column, text, row, line, grade, bar, under, stack, tint) {
  const element = made(row ? "th" : "td", kinds(column), "");
  if (tint) element.classList.add(tint);
  if (bar) {
    element.classList.add("barred");
    element.style.setProperty("--part", bar);
  }
  if (line) {
    element.append(line, made("span", "unseen", text));
    element.title = text;
    return element;
  }
  if (!row) {
    if (stack) element.append(stacked(stack));
    fill(element, text, grade);
    if (under) element.append(made("span", "under", under));
    return element;
  }
  element.classList.add("name");
  element.scope = "row";
  const link = document.createElement("a");
  link.href = row.href;
  link.dataset.opens = row.href;
  fill(link, row.called ?? text, grade);
  const small = row.called ? text : under;
  if (small) link.append(made("span", "under", small));
  element.append(link);
  return element;
}

/** Amounts by severity as one bar: the words beside it say the sum. */
function stacked(parts) {
  const bar = made("span", "stack", "");
  bar.ariaHidden = "true";
  for (const [word, part] of parts) {
    const piece = made("i", word, "");
    piece.style.setProperty("--part", part);
    bar.append(piece);
  }
  return bar;
}

/** A small line: what is sure, and what rests on few loans. */
function drawn(box, paths) {
  const svg = box.querySelector("template").content.firstElementChild.cloneNode(true);
  [...svg.children].forEach((path, at) => path.setAttribute("d", paths[at]));
  return svg;
}

function fill(element, text, grade) {
  if (grade) {
    element.append(made("span", `grade ${grade}`, text));
    return;
  }
  element.append(made("span", text.length > LONG ? "wide long" : text.length > LINE ? "wide" : "", text));
  if (text.length > LONG) element.title = text;
}

/** The button of a row. */
function acts(record, { label, off }) {
  const td = made("td", "act", "");
  const button = made("button", "", label);
  button.type = "button";
  button.dataset.acts = record;
  button.disabled = Boolean(off);
  button.title = off;
  button.setAttribute("aria-label", `${label} ${record}`);
  td.append(button);
  return td;
}

function tick(row, label, ticked) {
  const td = made("td", "tick", "");
  const input = document.createElement("input");
  input.type = "checkbox";
  input.checked = ticked.includes(row.record);
  input.dataset.record = row.record;
  input.setAttribute("aria-label", `${label} ${row.record}`);
  td.append(input);
  return td;
}
