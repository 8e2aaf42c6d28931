// Where frames and curves come from: a server, or the page itself where it was sent as one file.

const CONTACT_NUMBERS = 33;
// Stands for the world's frame among bodies of lines.
export const WORLD = 0xffffffff;

// Columns of contacts that frames have.
const PAIR_KEYS = {
  gap_m: "gap",
  normal_force_N: "normalForce",
  friction_force_N: "friction",
  slip_m_per_s: "slip",
  patch_long_m: "long",
  patch_short_m: "short",
  pressure_Pa: "pressure",
};
const PAIR_AXES = { force_x_N: 0, force_y_N: 1, force_z_N: 2 };

// The frames of an answer.
export function parseFrames(buffer) {
  const view = new DataView(buffer);
  const [first, count, stride, bodies] = [0, 4, 8, 12].map((at) => view.getUint32(at, true));
  const frames = [];
  let at = 16;
  for (let k = 0; k < count; k++) {
    const time = view.getFloat64(at, true);
    const contacts = view.getUint32(at + 8, true);
    at += 16;
    const poses = new Float32Array(buffer, at, 7 * bodies);
    at += 28 * bodies;
    const touching = new Float32Array(buffer, at, CONTACT_NUMBERS * contacts);
    at += 4 * CONTACT_NUMBERS * contacts;
    frames.push({ number: first + k * stride, time, poses, contacts: touching });
  }
  return frames;
}

// A contact of a frame by its place.
export function contactAt(frame, k) {
  const n = frame.contacts.subarray(CONTACT_NUMBERS * k, CONTACT_NUMBERS * (k + 1));
  const vector = (at) => [n[at], n[at + 1], n[at + 2]];
  return {
    a: n[0],
    partA: n[1],
    b: n[2],
    partB: n[3],
    region: n[4],
    gap: n[5],
    pointA: vector(6),
    pointB: vector(9),
    normal: vector(12),
    forcePoint: vector(15),
    force: vector(18),
    normalForce: n[21],
    friction: n[22],
    slip: n[23],
    long: n[24],
    short: n[25],
    pressure: n[26],
    slipVelocity: vector(27),
    along: vector(30),
  };
}

export const contactCount = (frame) => frame.contacts.length / CONTACT_NUMBERS;

// The greatest value over the contacts of a frame of the length of three numbers from `at` on, or of one number.
export function greatestOf(frame, at, width = 3) {
  const n = frame.contacts;
  let most = 0;
  for (let k = at; k < n.length; k += CONTACT_NUMBERS) {
    const value = width === 3 ? Math.hypot(n[k], n[k + 1], n[k + 2]) : n[k];
    if (value > most) most = value;
  }
  return most;
}

export const FORCE_AT = 18;
export const LONG_AT = 24;
export const PRESSURE_AT = 26;
export const SLIP_AT = 27;

// Meshes, parts, planes and lines of an answer.
export function parseGeometry(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const told = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let at = 4 + length;
  const take = (type, count) => {
    const array = new type(buffer, at, count);
    at += 4 * count;
    return array;
  };
  told.meshes = told.meshes.map(([vertices, triangles, chord, coarser, isCurved, isBall]) => ({
    positions: take(Float32Array, 3 * vertices),
    normals: take(Float32Array, 3 * vertices),
    triangles: take(Uint32Array, 3 * triangles),
    curvatures: isCurved ? take(Float32Array, vertices) : null,
    chord,
    coarser,
    isBall,
  }));
  return told;
}

// Lines, each a body and points.
export function parseOutlines(buffer) {
  const count = new DataView(buffer).getUint32(0, true);
  const heads = new Uint32Array(buffer, 4, 2 * count);
  let at = 4 + 8 * count;
  return Array.from({ length: count }, (_, k) => {
    const points = new Float32Array(buffer, at, 3 * heads[2 * k + 1]);
    at += points.byteLength;
    return { body: heads[2 * k], points };
  });
}

// Contours frame by frame: the length of each, then its lines.
function splitContours(buffer) {
  const view = new DataView(buffer);
  const frames = [];
  for (let at = 0; at < buffer.byteLength; ) {
    const length = view.getUint32(at, true);
    frames.push(parseOutlines(buffer.slice(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return frames;
}

export function parseSeries(buffer) {
  const view = new DataView(buffer);
  const [points, curves] = [view.getUint32(0, true), view.getUint32(4, true)];
  const times = new Float64Array(buffer, 8, points);
  const values = [];
  for (let k = 0; k < curves; k++) values.push(new Float64Array(buffer, 8 + 8 * points * (k + 1), points));
  return { times, values };
}

// Asks the server that sent the page.
export class ServerSource {
  constructor(prefix = "api/") {
    this.prefix = prefix;
    this.isLive = true;
  }

  // Whether there is a curve of that name.
  has() {
    return true;
  }

  async ask(what, query = "") {
    const answer = await fetch(this.prefix + what + query);
    if (!answer.ok) {
      const told = await answer.json().catch(() => ({}));
      throw new Error(told.error ?? `${what}: ${answer.status}`);
    }
    return answer;
  }

  async about() {
    return (await this.ask("about")).json();
  }

  async status() {
    return (await this.ask("status")).json();
  }

  async events() {
    return (await this.ask("events")).json();
  }

  async geometry() {
    return parseGeometry(await (await this.ask("geometry")).arrayBuffer());
  }

  async charts() {
    return parseOutlines(await (await this.ask("charts")).arrayBuffer());
  }

  // The contours of the regions at a frame.
  async contours(number) {
    return parseOutlines(await (await this.ask("contours", `?frame=${number}`)).arrayBuffer());
  }

  async frames(first, count, stride) {
    const query = `?first=${first}&count=${count}&stride=${stride}`;
    return parseFrames(await (await this.ask("frames", query)).arrayBuffer());
  }

  async series(curves, first, count, stride) {
    const names = curves.map((name) => `&curve=${encodeURIComponent(name)}`).join("");
    const query = `?first=${first}&count=${count}&stride=${stride}${names}`;
    return parseSeries(await (await this.ask("series", query)).arrayBuffer());
  }
}

async function unpack(text) {
  const raw = atob(text.trim());
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  return bytes.buffer;
}

// Finds everything in the page itself. Of a long run it has every so many frames, and they are numbered anew.
export class EmbeddedSource {
  constructor() {
    this.isLive = false;
    this.all = null;
    this.sheets = null;
  }

  has(name) {
    const column = name.slice(name.lastIndexOf(".") + 1);
    return this.known.has(name) || (name.includes("|") && (column in PAIR_KEYS || column in PAIR_AXES));
  }

  text(name) {
    return document.getElementById(`data-${name}`).textContent;
  }

  async about() {
    this.told = JSON.parse(this.text("about"));
    this.known = new Set(this.told.curves);
    return this.told;
  }

  async status() {
    return this.told.status;
  }

  async events() {
    return JSON.parse(this.text("events"));
  }

  async geometry() {
    return parseGeometry(await unpack(this.text("geometry")));
  }

  async charts() {
    return parseOutlines(await unpack(this.text("charts")));
  }

  // The contours at a frame, of every so many of them.
  async contours(number) {
    this.lines ??= splitContours(await unpack(this.text("contours")));
    const every = this.told.contourEvery;
    return number % every === 0 ? (this.lines[number / every] ?? []) : [];
  }

  async frames(first, count, stride) {
    this.all ??= parseFrames(await unpack(this.text("frames")));
    const wanted = [];
    for (let k = first; k < this.all.length && wanted.length < count; k += stride) wanted.push(this.all[k]);
    return wanted;
  }

  // Curves by name, from the sheets at the frames of the page.
  async series(curves, first, count, stride) {
    this.sheets ??= await this.readSheets();
    await this.frames(0, 1, 1);
    const frames = this.sheets.times.length;
    const wanted = [];
    for (let k = first; k < frames && wanted.length < count; k += stride) wanted.push(k);
    const values = curves.map((name) => {
      const column = this.sheets.columns.get(name) ?? this.pairColumn(name);
      return Float64Array.from(wanted, (k) => column[k]);
    });
    return { times: Float64Array.from(wanted, (k) => this.sheets.times[k]), values };
  }

  async readSheets() {
    const names = JSON.parse(this.text("curves"));
    const { times, values } = parseSeries(await unpack(this.text("series")));
    return { times, columns: new Map(names.map((name, k) => [name, values[k]])) };
  }

  // A column of the contact of two bodies, from the contacts of the frames; forces of several parts add up.
  pairColumn(name) {
    const at = name.lastIndexOf(".");
    const [owner, column] = [name.slice(0, at), name.slice(at + 1)];
    const summed = column.endsWith("_N");
    const names = this.told.bodies.map((body) => body.name);
    return this.all.map((frame) => {
      let sum = summed ? 0 : NaN;
      for (let k = 0; k < contactCount(frame); k++) {
        const contact = contactAt(frame, k);
        const pair = [`${names[contact.a]}|${names[contact.b]}`, `${names[contact.b]}|${names[contact.a]}`];
        if (!pair.includes(owner)) continue;
        const value = column in PAIR_AXES ? contact.force[PAIR_AXES[column]] : contact[PAIR_KEYS[column]];
        if (summed) sum += value;
        else if (Number.isNaN(sum)) sum = value;
      }
      return sum;
    });
  }
}
