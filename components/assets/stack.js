// Draws what components/loans/capital_stack.py sends as one bar. Whatever comes from data is set as
// text or as the value of one named attribute; nothing is ever read as HTML.

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".atlas-stack");
  box.setAttribute("aria-label", data.caption);
  box.querySelector(".segments").replaceChildren(...data.segments.map(segment));
  box.querySelector(".marks").replaceChildren(...data.marks.map(mark));
  box.querySelector(".axis").replaceChildren(...data.axis.map((words) => made("span", "", words)));
}

function made(tag, kind, text) {
  const element = Object.assign(document.createElement(tag), { className: kind });
  element.textContent = text;
  return element;
}

function segment(one) {
  const element = made("div", one.fill ? "" : "equity", "");
  element.append(...one.words.map((words) => made("span", "", words)));
  element.style.flexGrow = one.part;
  if (one.fill) Object.assign(element.style, { background: one.fill, color: one.ink });
  element.title = one.said;
  return element;
}

function mark(one) {
  const element = made("span", [one.high && "high", one.last && "last"].filter(Boolean).join(" "), "");
  element.style.left = `${100 * one.at}%`;
  element.append(made("i", "", one.text));
  return element;
}
