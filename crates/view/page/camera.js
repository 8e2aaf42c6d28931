// The camera: about a point, by mouse, touch and keys.

import {
  add,
  cross,
  dot,
  lookAt,
  multiply,
  norm,
  normalize,
  orthographic,
  perspective,
  scale,
  subtract,
} from "./algebra.js";

// The shape of the picture that cameras are chosen for: so many times as wide as high.
const ASPECT = 1.6;
// Standard views: from where, and what is up unless it is the scene's own.
const STANDARD = ["front", "back", "left", "right", "top", "bottom"];

export class OrbitCamera {
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    this.parallel = false;
    this.set({ eye: [1, -1, 1], target: [0, 0, 0], up: [0, 0, 1], fov: 0.56 }, [0, 0, 1]);
    this.onPick = () => {};
    this.listen();
  }

  // `home` is the camera as it was chosen; `up` the scene's.
  set(home, up) {
    this.home = home;
    this.up = normalize(up);
    const aside = Math.abs(this.up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    this.east = normalize(subtract(aside, scale(this.up, dot(this.up, aside))));
    this.north = cross(this.up, this.east);
    this.reset();
  }

  reset() {
    const away = subtract(this.home.eye, this.home.target);
    this.target = [...this.home.target];
    this.distance = Math.max(norm(away), 1e-12);
    const d = normalize(away);
    this.elevation = Math.asin(Math.max(-1, Math.min(1, dot(d, this.up))));
    this.azimuth = Math.atan2(dot(d, this.north), dot(d, this.east));
    this.fov = this.home.fov;
    this.changed();
  }

  get back() {
    const c = Math.cos(this.elevation);
    const level = add(scale(this.east, c * Math.cos(this.azimuth)), scale(this.north, c * Math.sin(this.azimuth)));
    return normalize(add(level, scale(this.up, Math.sin(this.elevation))));
  }

  // All that the renderer needs, for a picture so many times as wide as high.
  view(aspect) {
    const back = this.back;
    const eye = add(this.target, scale(back, this.distance));
    // Straight from above, what is farther north is higher.
    const level = add(scale(this.east, -Math.cos(this.azimuth)), scale(this.north, -Math.sin(this.azimuth)));
    const above = Math.abs(dot(back, this.up)) > 0.9999 ? scale(level, Math.sign(this.elevation)) : this.up;
    const longer = Math.tan(0.5 * this.fov);
    // What was seen in a picture of the usual shape is seen in one of any other.
    const [x, y] = aspect >= ASPECT ? [(longer * aspect) / ASPECT, longer / ASPECT] : [longer, longer / aspect];
    const [near, far] = [0.01 * this.distance, 60 * this.distance];
    const projection = this.parallel
      ? orthographic(x * this.distance, y * this.distance, -far, far)
      : perspective(x, y, near, far);
    const looking = lookAt(eye, this.target, above);
    const right = [looking[0], looking[4], looking[8]];
    return {
      matrix: multiply(projection, looking),
      eye,
      back,
      right,
      above: cross(back, right),
      parallel: this.parallel,
      target: this.target,
      distance: this.distance,
      reach: this.distance * longer,
      // The tangent of half the angle from side to side.
      across: x,
    };
  }

  standard(name) {
    const quarter = Math.PI / 2;
    const place = {
      front: [-quarter, 0],
      back: [quarter, 0],
      left: [Math.PI, 0],
      right: [0, 0],
      top: [-quarter, quarter],
      bottom: [-quarter, -quarter],
    };
    if (!STANDARD.includes(name)) return this.reset();
    [this.azimuth, this.elevation] = place[name];
    this.changed();
  }

  turn(dx, dy) {
    this.azimuth -= dx;
    this.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.elevation + dy));
    this.changed();
  }

  // By shares of the picture's longer side.
  pan(dx, dy) {
    const { right, above } = this.view(1);
    const size = 2 * this.distance * Math.tan(0.5 * this.fov);
    this.target = add(this.target, add(scale(right, -dx * size), scale(above, dy * size)));
    this.changed();
  }

  zoom(factor) {
    this.distance = Math.max(1e-9, Math.min(1e12, this.distance * factor));
    this.changed();
  }

  listen() {
    const canvas = this.canvas;
    const fingers = new Map();
    let moved = 0;
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 1) moved = 0;
      canvas.focus({ preventScroll: true });
    });
    canvas.addEventListener("pointermove", (event) => {
      const finger = fingers.get(event.pointerId);
      if (!finger) return;
      const size = Math.max(canvas.clientWidth, canvas.clientHeight);
      const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
      moved += Math.abs(dx) + Math.abs(dy);
      if (fingers.size === 2) {
        const other = [...fingers.entries()].find(([id]) => id !== event.pointerId)[1];
        const before = Math.hypot(finger.x - other.x, finger.y - other.y);
        const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
        if (before > 0 && after > 0) this.zoom(before / after);
        this.pan(dx / size / 2, dy / size / 2);
      } else if (event.buttons & 6 || event.shiftKey) {
        this.pan(dx / size, dy / size);
      } else {
        this.turn((5 * dx) / size, (5 * dy) / size);
      }
      finger.x = event.clientX;
      finger.y = event.clientY;
    });
    const end = (event) => {
      const known = fingers.delete(event.pointerId);
      if (known && event.type === "pointerup" && moved < 5 && fingers.size === 0) {
        const box = canvas.getBoundingClientRect();
        this.onPick(event.clientX - box.left, event.clientY - box.top);
      }
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.0012))));
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 0.12;
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const move = moves[event.key];
    if (move) {
      if (event.shiftKey) this.pan(move[0] / 4, move[1] / 4);
      else this.turn(...move);
    } else if (event.key === "+" || event.key === "=") this.zoom(0.85);
    else if (event.key === "-") this.zoom(1 / 0.85);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
