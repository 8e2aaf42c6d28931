// What the picture's squares, arrows and colours mean, in its lower left corner.

import { byId, digits } from "./format.js";
import { isLogarithmic } from "./parts.js";

export function showLegend(renderer, options, scales) {
  const lines = [];
  if (renderer.hasSquares) lines.push(`squares of ${digits(renderer.square, 3)} m`);
  if (scales.force) lines.push(`forces: ${digits(scales.force.length, 3)} m for ${digits(scales.force.value, 3)} N`);
  if (scales.slip) lines.push(`slip: ${digits(scales.slip.length, 3)} m for ${digits(scales.slip.value, 3)} m/s`);
  if (scales.enlarged > 1) lines.push(`contact ellipses ${digits(scales.enlarged, 3)} times as large as they are`);
  if (scales.enlarged === 1) lines.push("contact ellipses as large as they are");
  if (scales.pressure) lines.push(`their greatest pressure: blue 0, red ${digits(scales.pressure, 3)} Pa`);
  if (scales.frames) lines.push("n blue, t red, b green");
  if (scales.contourEvery > 1) lines.push(`contours at one of ${scales.contourEvery} frames`);
  const { curvature } = options;
  byId("ramp").hidden = !curvature;
  if (curvature) {
    const how = isLogarithmic(curvature) ? ", logarithmic" : "";
    const [low, high] = curvature.map((x) => digits(x, 3));
    lines.push(`mean curvature ${low === high ? low : `${low} … ${high}`} 1/m${how}`);
  }
  const text = lines.join("\n");
  if (byId("legend-text").textContent !== text) byId("legend-text").textContent = text;
}
