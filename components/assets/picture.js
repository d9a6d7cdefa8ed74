// Buttons under a chart of Plotly (components/frame/charts.py) that save it as PNG or SVG: by the
// camera of its own bar, told for that moment which format and name, and with the title and the
// source above the drawing that stand around it on the page. No server is asked.
// Streamlit calls the default function again on the same element at each change.

/** Pixels above the chart for the two lines. */
const ROOM = 64;
/** Of every system: a saved picture has not the page's own. */
const FONT = "Arial, Helvetica, sans-serif";

/** Charts that report clicks, each with its handler. */
const handlers = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  for (const button of parentElement.querySelectorAll("button")) {
    button.onclick = () => save(data, button.value);
  }
  if (!data.clicks) return undefined;
  // The chart may come later, and again: it begins to report clicks with the first press.
  const begin = () => {
    const chart = document.querySelector(`.st-key-${CSS.escape(data.chart)} .js-plotly-plot`);
    if (!chart) return;
    if (!handlers.has(chart)) chart.on("plotly_click", (event) => handlers.get(chart)(event.points[0]?.customdata?.[0]));
    handlers.set(chart, (mark) => mark && setTriggerValue("clicked", mark));
  };
  document.addEventListener("pointerdown", begin, true);
  return () => document.removeEventListener("pointerdown", begin, true);
}

function save(data, format) {
  const chart = document.querySelector(`.st-key-${CSS.escape(data.chart)} .js-plotly-plot`);
  const camera = chart?.querySelector(".modebar-btn[data-title^='Download plot']");
  if (!camera) return;
  const { _context: context, _fullLayout: { width, height, font }, layout } = chart;
  const options = context.toImageButtonOptions;
  const size = { width, height: height + ROOM };
  context.toImageButtonOptions = { ...size, format, filename: data.stem, scale: format === "png" ? 2 : 1 };
  chart.layout = {
    ...layout,
    ...size,
    font: { ...layout.font, family: FONT },
    margin: { ...layout.margin, t: (layout.margin?.t ?? 0) + ROOM, r: 24 },
    title: {
      text: data.title, font: { size: font.size + 3, family: FONT },
      subtitle: { text: data.note, font: { size: font.size, family: FONT } },
      xref: "container", x: 0, xanchor: "left", yref: "container", y: 1, yanchor: "top", pad: { t: 20, l: 8 },
    },
  };
  camera.click(); // Plotly copies what it draws before this returns
  chart.layout = layout;
  context.toImageButtonOptions = options;
}
