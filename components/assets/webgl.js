// Says that the browser has no WebGL, where it has none (components/properties/webgl.py).

export default function ({ parentElement, setTriggerValue }) {
  if (parentElement.atlasAsked) return;
  parentElement.atlasAsked = true;
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) setTriggerValue("missing", true);
  else context.getExtension("WEBGL_lose_context")?.loseContext(); // browsers give only so many
}
