// A table of coloured figures, each a link: components/maps/matrix.py.

export default function ({ data, parentElement, setTriggerValue }) {
  const box = drawing(parentElement, "matrix");
  walk(box, {
    choose: (found) => setTriggerValue("chosen", [Number(found.dataset.row), Number(found.dataset.column)]),
    next: beside,
    said: (found) => found.getAttribute("aria-label").split(": "),
  });
  const table = box.querySelector("table");
  table.caption.textContent = data.caption;
  table.tHead.rows[0].replaceChildren(made("th", data.corner), ...data.columns.map(({ label }) => made("th", label)));
  for (const head of table.tHead.rows[0].cells) head.scope = "col";
  const rows = data.rows.map((row, at) => {
    const tr = document.createElement("tr");
    const head = made("th", "");
    head.scope = "row";
    head.append(reached(row.label, row.label, address(data, row), at, -1));
    const cells = row.cells.map((one, column) => cell(data, one, at, column));
    tr.append(head, ...cells);
    return tr;
  });
  redraw(box, table.tBodies[0], ...rows);
}

function made(tag, text) {
  return Object.assign(document.createElement(tag), { textContent: text });
}

function cell(data, one, row, column) {
  const td = made("td", "");
  if (!one) return td;
  // A cell that does not go by its row and column brings its own query.
  const [figure, at, own] = one;
  const { ground, ink } = data.classes[at];
  Object.assign(td.style, { background: ground, color: ink });
  const heads = [data.rows[row], data.columns[column]];
  const said = `${heads.map(({ label }) => label).join(", ")}: ${figure}`;
  td.append(reached(figure, said, address(data, ...(own === undefined ? heads : [{ query: own }])), row, column));
  return td;
}

/** Where the figures of some heads lead; null where one of them leads nowhere. */
function address(data, ...heads) {
  const queries = heads.map(({ query }) => query);
  return queries.includes(null) ? null : data.address + queries.join("&");
}

/** A link, or plain words where there is nothing to lead to. */
function reached(text, said, href, row, column) {
  const element = made(href === null ? "span" : "a", text);
  if (href === null) return element;
  element.href = href;
  element.setAttribute("aria-label", said);
  Object.assign(element.dataset, { row, column, name: `${row} ${column}` });
  element.tabIndex = -1;
  return element;
}

/** The nearest link in the direction of an arrow key. */
function beside(all, at, key) {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key];
  if (!step) return undefined;
  const place = (one) => [Number(one.dataset.row), Number(one.dataset.column)];
  const [row, column] = place(all[at]);
  const far = (one) => {
    const [y, x] = place(one);
    const [along, across] = [(y - row) * step[0] + (x - column) * step[1], (y - row) * step[1] || (x - column) * step[0]];
    return along > 0 && !across ? along : Infinity;
  };
  const nearest = all.reduce((best, one) => (far(one) < far(best) ? one : best), all[at]);
  return nearest === all[at] ? undefined : nearest;
}
