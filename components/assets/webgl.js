// Says that the browser has no WebGL, where it has none, and whether the page is narrow, where the server holds it for
// the other (components/properties/webgl.py).

export default function ({ data, parentElement, setTriggerValue }) {
  if (parentElement.atlasAsked) return;
  parentElement.atlasAsked = true;
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) setTriggerValue("missing", true);
  else context.getExtension("WEBGL_lose_context")?.loseContext(); // browsers give only so many
  const narrow = window.innerWidth < 700;
  if (context && narrow !== data.narrow) setTriggerValue("narrow", narrow);
}
