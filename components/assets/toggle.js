// Draws what components/frame/toggle.py sends: whether something is on. Its label is set as text.
// Streamlit calls the default function again on the same element at each change.

export default function ({ data, parentElement, setTriggerValue }) {
  const label = parentElement.querySelector(".atlas-toggle");
  const [input, words] = label.children;
  words.textContent = data.label;
  label.title = data.help;
  Object.assign(input, { checked: data.on, disabled: data.disabled, title: data.help });
  input.onchange = () => setTriggerValue("turned", input.checked);
}
