// Draws what components/properties/legend.py sends: a colour and its words, set as text.

export default function ({ data, parentElement }) {
  parentElement.querySelector(".atlas-legend").replaceChildren(...data.rows.map(row));
}

function row({ colour, hollow, label }) {
  const swatch = Object.assign(document.createElement("span"), { className: hollow ? "swatch hollow" : "swatch" });
  swatch.style[hollow ? "borderColor" : "backgroundColor"] = colour;
  const item = document.createElement("li");
  item.append(swatch, Object.assign(document.createElement("span"), { textContent: label }));
  return item;
}
