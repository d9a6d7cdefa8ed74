// Draws what components/properties/legend.py sends: a colour and its words, set as text.

export default function ({ data, parentElement }) {
  parentElement.querySelector(".atlas-legend").replaceChildren(...data.rows.map(row));
}

function row({ colour, label }) {
  const swatch = Object.assign(document.createElement("span"), { className: "swatch" });
  swatch.style.backgroundColor = colour;
  const item = document.createElement("li");
  item.append(swatch, Object.assign(document.createElement("span"), { textContent: label }));
  return item;
}
