// The bench page: how long pictures of many grains take here, at rest and in motion. The grains are ellipsoids of three
// sizes in a box, each placed anew for every picture as those of a run are.

import { LineChart } from "./chart.js";
import { byId, CURVE_COLOURS, digits, element } from "./format.js";
import { OrbitCamera } from "./camera.js";
import { Pace } from "./pace.js";
import { Renderer } from "./renderer.js";
import { turned } from "./batch.js";

const SECONDS = 4;
const UP = [0, 0, 1];
// Rings of a ball's levels.
const RINGS = [24, 17, 12, 8, 6, 4, 3];

// The unit ball in levels, as the server tells them.
function ballLevels() {
  return RINGS.map((rings, k) => {
    const profile = Array.from({ length: rings + 1 }, (_, i) => {
      const angle = (Math.PI * i) / rings - Math.PI / 2;
      return [Math.cos(angle), Math.sin(angle), Math.cos(angle), Math.sin(angle)];
    });
    return {
      ...turned(profile, 2 * rings),
      curvatures: null,
      chord: 1 - Math.cos(Math.PI / (2 * rings)),
      coarser: k + 1 < RINGS.length ? k + 1 : null,
      isBall: true,
    };
  });
}

function grains(count) {
  const parts = [];
  for (let k = 0; k < count; k++) {
    const size = 0.3 + 0.05 * (k % 3);
    parts.push({
      mesh: 0,
      body: k + 1,
      position: [0, 0, 0],
      quaternion: [1, 0, 0, 0],
      scale: [size, 0.8 * size, 0.6 * size],
      colour: [70 + ((k * 37) % 150), 90 + ((k * 53) % 120), 110 + ((k * 71) % 120)],
      patterned: true,
      oneSided: false,
    });
  }
  const floor = { body: 0, normal: UP, offset: 0, colour: [226, 226, 224] };
  return { meshes: ballLevels(), parts, planes: [floor], lines: [], radius: 0.1 };
}

// Where the grains are after some seconds.
function posesAt(count, seconds, poses) {
  const side = Math.ceil(Math.cbrt(count));
  for (let k = 0; k < count; k++) {
    const at = 7 * (k + 1);
    const [i, j, l] = [k % side, Math.floor(k / side) % side, Math.floor(k / side / side)];
    const angle = 0.5 * (seconds + k);
    poses[at] = 0.8 * (i - side / 2) + 0.05 * Math.sin(seconds + k);
    poses[at + 1] = 0.8 * (j - side / 2) + 0.05 * Math.cos(seconds + k);
    poses[at + 2] = 0.8 * l + 0.5;
    poses[at + 3] = Math.cos(angle);
    poses[at + 4] = Math.sin(angle) * 0.6;
    poses[at + 5] = 0;
    poses[at + 6] = Math.sin(angle) * 0.8;
  }
  poses[3] = 1;
}

const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = isDark ? "dark" : "light";

const options = {
  up: UP,
  shadows: true,
  grid: false,
  dark: isDark,
  clip: null,
  flat: false,
  outlines: false,
  curvature: null,
  background: isDark ? [0.125, 0.145, 0.169] : [0.914, 0.933, 0.957],
  line: [0.35, 0.4, 0.45],
};

// Draws for some seconds; the times between pictures that were finished, in ms.
async function measure(renderer, camera, count, isMoving) {
  const poses = new Float32Array(7 * (count + 1));
  const looks = Array.from({ length: count + 1 }, () => ({ hidden: false, opacity: 1, free: true }));
  const pace = new Pace(renderer);
  const pixel = new Uint8Array(4);
  const times = [];
  const scripts = [];
  const begun = performance.now();
  let last = begun;
  let triangles = 0;
  while (performance.now() - begun < 1000 * SECONDS || times.length < 6) {
    const now = await new Promise((resolve) => requestAnimationFrame(resolve));
    pace.step(now, isMoving);
    posesAt(count, (now - begun) / 1000, poses);
    const start = performance.now();
    renderer.resize();
    const view = camera.view(renderer.canvas.width / renderer.canvas.height);
    renderer.place({ poses }, looks, null, [], view);
    renderer.clearMarks();
    renderer.draw(view, { ...options, shadows: renderer.coarse < 3 });
    scripts.push(performance.now() - start);
    // Waits until it is drawn.
    renderer.gl.readPixels(0, 0, 1, 1, renderer.gl.RGBA, renderer.gl.UNSIGNED_BYTE, pixel);
    times.push(performance.now() - last);
    last = performance.now();
    triangles = renderer.triangles;
  }
  // The first ones fill buffers and settle the pace.
  const settled = times.slice(Math.min(5, times.length >> 1)).sort((a, b) => a - b);
  const median = settled[settled.length >> 1];
  const script = scripts.sort((a, b) => a - b)[scripts.length >> 1];
  const { width, height } = renderer.canvas;
  return {
    count,
    isMoving,
    pictures: times.length,
    width,
    height,
    triangles,
    script,
    median,
    worst: settled[settled.length - 1],
    rate: 1000 / median,
    times,
  };
}

const curves = [];
let chart = null;

// The times of all pictures measured so far, one after the other.
function plotTimes(results) {
  for (const { count, isMoving, times } of results) {
    const name = `${count} grains ${isMoving ? "in motion" : "at rest"}`;
    const colour = CURVE_COLOURS[curves.length % CURVE_COLOURS.length];
    curves.push({ name, colour, times: times.map((_, k) => k + 1), values: times });
  }
  byId("times").hidden = false;
  chart ??= new LineChart(byId("times"), { x: "picture", y: "time / ms" });
  chart.show(curves);
  byId("key").replaceChildren(
    ...curves.map(({ name, colour }) => {
      const swatch = element("span", { class: "swatch" });
      swatch.style.backgroundColor = colour;
      return element("li", {}, swatch, name);
    }),
  );
}

export async function bench(count, kinds = [false, true]) {
  const canvas = byId("canvas");
  globalThis.renderer ??= new Renderer(canvas);
  const { renderer } = globalThis;
  const side = 0.8 * Math.ceil(Math.cbrt(count));
  const camera = new OrbitCamera(canvas, () => {});
  const target = [0, 0, 0.4 * side];
  camera.set({ eye: [1.6 * side, -2.2 * side, 1.6 * side], target, up: UP, fov: 0.56 }, UP);
  renderer.setGeometry(grains(count));
  const results = [];
  for (const isMoving of kinds) results.push(await measure(renderer, camera, count, isMoving));
  for (const told of results) {
    const cells = [
      told.count,
      `${told.width} × ${told.height}`,
      told.triangles,
      told.isMoving ? "in motion" : "at rest",
      digits(told.script, 3),
      digits(told.median, 3),
      digits(told.worst, 3),
      digits(told.rate, 3),
    ];
    byId("rows").append(element("tr", {}, ...cells.map((cell) => element("td", {}, String(cell)))));
  }
  plotTimes(results);
  return results;
}

globalThis.bench = bench;
const probe = byId("canvas").ownerDocument.createElement("canvas").getContext("webgl2");
const told = probe?.getExtension("WEBGL_debug_renderer_info");
byId("machine").textContent =
  `${told ? probe.getParameter(told.UNMASKED_RENDERER_WEBGL) : "no WebGL 2"}; ` +
  `${navigator.hardwareConcurrency} processors, ${devicePixelRatio} pixels per pixel of the page.`;
byId("start").addEventListener("click", async () => {
  byId("start").disabled = true;
  await bench(Number(byId("grains").value));
  byId("start").disabled = false;
});
document.documentElement.dataset.ready = "true";
