// Draws what components/frame/switch.py sends: words side by side, one of which is chosen. They are
// set as text. Streamlit calls the default function again on the same element at each change.

export default function ({ data, parentElement, setTriggerValue }) {
  const group = parentElement.querySelector(".atlas-switch");
  group.setAttribute("aria-label", data.label);
  if (group.childElementCount !== data.options.length) {
    group.replaceChildren(...data.options.map(([word, label]) => choice(data.name, word, label)));
  }
  for (const input of group.querySelectorAll("input")) input.checked = input.value === data.chosen;
  group.onchange = (event) => setTriggerValue("chosen", event.target.value);
}

function choice(name, word, text) {
  const input = Object.assign(document.createElement("input"), { type: "radio", name: `atlas-switch-${name}`, value: word });
  const label = document.createElement("label");
  label.append(input, Object.assign(document.createElement("span"), { textContent: text }));
  return label;
}
