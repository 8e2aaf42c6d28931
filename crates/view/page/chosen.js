// The panel of what is chosen: a body, a contact, a joint or a line between bodies, its numbers now and its curves.

import { clock, digits, element, splitColumn } from "./format.js";
import { contactAt, contactCount } from "./source.js";
import { lineOwner } from "./line_curves.js";
import { norm } from "./algebra.js";

const LISTED_CONTACTS = 40;

// A table of names and values.
export function factTable(rows) {
  return element(
    "table",
    {},
    element(
      "tbody",
      {},
      ...rows.map(([name, value, unit]) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, name),
          element("td", { class: "number" }, value),
          element("td", {}, unit ?? ""),
        ),
      ),
    ),
  );
}

export function chosenPanel(app) {
  const { choice, frame } = app;
  if (!choice || !frame)
    return [
      element(
        "p",
        { class: "note" },
        "Click a body, a point of contact, a joint or a spring in the picture, or a name in the list of bodies.",
      ),
      ...jointList(app),
      ...lineList(app),
    ];
  if (choice.body !== undefined) return chosenBody(app, choice.body);
  if (choice.joint !== undefined) return chosenJoint(app, choice.joint);
  if (choice.line !== undefined) return chosenLine(app, choice.line);
  return chosenContact(app, choice.contact);
}

// Joints by name, for those who have no mouse.
function jointList(app) {
  const { joints } = app.about;
  if (joints.length === 0) return [];
  const row = (name, k) =>
    element("div", {}, element("button", { class: "row-link", onclick: () => app.choose({ joint: k }) }, name));
  return [element("h2", {}, "Joints"), ...joints.slice(0, 200).map(row)];
}

// Springs, ropes and rods likewise.
function lineList(app) {
  const { geometry } = app.renderer;
  if (geometry.lines.length === 0) return [];
  const row = (_, k) =>
    element(
      "div",
      {},
      element(
        "button",
        { class: "row-link", onclick: () => app.choose({ line: k }) },
        lineOwner(app.about, geometry, k),
      ),
    );
  return [element("h2", {}, "Springs and lines"), ...geometry.lines.slice(0, 200).map(row)];
}

const closeButton = (app) => element("button", { class: "quiet", onclick: () => app.choose(null) }, "close");

// The curves of what is chosen, of a run that has some.
function overTime(app, owner, sheet, columns) {
  if (app.player.status.frames < 2) return [];
  return [element("h2", {}, "Over time"), plotButtons(app, owner, sheet, columns)];
}

// Columns that are plotted by a click.
function plotButtons(app, owner, sheet, columns) {
  const known = app.about.sheets[sheet];
  const there = columns.filter((name) => app.source.has(`${owner}.${name}`));
  const row = (name) => {
    const column = known.find((own) => own.name === name);
    const isPlotted = app.plot.curves.includes(`${owner}.${name}`);
    const button = element(
      "button",
      {
        class: "row-link",
        "aria-pressed": String(isPlotted),
        title: `${column.meaning} Click to plot it or to take it away.`,
        onclick: () => app.toggleCurve(`${owner}.${name}`),
      },
      splitColumn(column.name, column.unit),
    );
    return element("tr", {}, element("td", {}, button));
  };
  return element("table", {}, element("tbody", {}, ...there.map(row)));
}

// Components of a unit vector: what is less than rounding shows is none.
const directionText = (v) => v.map((x) => digits(Number(x.toFixed(4)), 4)).join(", ");
// Of other vectors what rounding leaves beside the largest component is none.
function vectorText(v) {
  const least = 1e-12 * norm(v);
  return v.map((x) => digits(Math.abs(x) < least ? 0 : x, 4)).join(", ");
}

const MOTION = ["vx_m_per_s", "vy_m_per_s", "vz_m_per_s", "wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s"];

// How fast a body moves and turns now, where the run has recorded it.
function motionRows(app, told) {
  const names = MOTION.map((column) => `${told.name}.${column}`);
  if (!told.free || app.player.status.frames < 2 || !names.every((name) => app.source.has(name))) return [];
  const values = app.valuesNow(names);
  if (values.length < names.length || !values.every(Number.isFinite)) return [];
  const [velocity, turning] = [values.slice(0, 3), values.slice(3)];
  return [
    ["velocity", vectorText(velocity), "m/s"],
    ["speed", digits(norm(velocity), 5), "m/s"],
    ["angular velocity", vectorText(turning), "rad/s"],
    ["angular speed", digits(norm(turning), 5), "rad/s"],
  ];
}

function chosenBody(app, body) {
  const { frame, about } = app;
  const told = about.bodies[body];
  const p = frame.poses.subarray(7 * body, 7 * body + 7);
  const o = about.origin;
  const rows = ["x", "y", "z"].map((axis, k) => [axis, digits(p[k] + o[k], 6), "m"]);
  // By half a turn at most: a quaternion and its negative are one orientation.
  const sense = p[3] < 0 ? -1 : 1;
  const q = [...p.subarray(3)].map((x) => sense * x);
  const sine = norm(q.slice(1));
  const angle = 2 * Math.atan2(sine, q[0]);
  rows.push(["turned by", digits((angle * 180) / Math.PI, 5), "°"]);
  if (sine > 0) rows.push(["about", directionText(q.slice(1).map((x) => x / sine)), ""]);
  rows.push(...motionRows(app, told));
  const contacts = [];
  for (let k = 0; k < contactCount(frame); k++) {
    const contact = contactAt(frame, k);
    if (contact.a === body || contact.b === body) contacts.push([contact, k]);
  }
  const follows = app.follow === body;
  const path = app.paths.has(body);
  return [
    element("h2", {}, told.name),
    element(
      "div",
      { class: "bar" },
      element(
        "button",
        { "aria-pressed": String(follows), onclick: () => app.setFollow(follows ? null : body) },
        "follow",
      ),
      element("button", { "aria-pressed": String(path), onclick: () => app.togglePath(body) }, "path"),
      element("button", { title: "Bring it before the eye (Z)", onclick: () => app.lookAt(body) }, "look"),
      element("button", { onclick: () => app.hide(body) }, "hide"),
      closeButton(app),
    ),
    factTable(rows),
    element("h2", {}, `Contacts now: ${contacts.length}`),
    ...contacts.slice(0, LISTED_CONTACTS).map(([contact, k]) => {
      const other = about.bodies[contact.a === body ? contact.b : contact.a].name;
      const text = `${other}: ${digits(contact.normalForce, 4)} N`;
      return element(
        "div",
        {},
        element("button", { class: "row-link", onclick: () => app.choose({ contact: k }) }, text),
      );
    }),
    ...overTime(
      app,
      told.name,
      "states",
      about.sheets.states.map((column) => column.name),
    ),
  ];
}

function contactRows(app, found, b) {
  const o = app.about.origin;
  const rows = [
    ["gap", digits(found.gap, 5), "m"],
    ["normal force", digits(found.normalForce, 5), "N"],
    ["friction", digits(found.friction, 5), "N"],
    ["slip", digits(found.slip, 5), "m/s"],
    ["at", vectorText(found.forcePoint.map((x, k) => x + o[k])), "m"],
    ["normal", directionText(found.normal), ""],
    [`force on ${b}`, vectorText(found.force), "N"],
    [`slip of ${b}`, vectorText(found.slipVelocity), "m/s"],
  ];
  if (found.long > 0)
    rows.push(
      ["ellipse", `${digits(found.long, 4)} × ${digits(found.short, 4)}`, "m"],
      ["pressure", digits(found.pressure, 4), "Pa"],
    );
  if (norm(found.along) > 0) rows.push(["long axis", directionText(found.along), ""]);
  return rows;
}

function chosenContact(app, place) {
  const { frame, about } = app;
  const [a, b] = [about.bodies[place.a].name, about.bodies[place.b].name];
  const found = app.findContact(place);
  const owner = `${a}|${b}`;
  const columns = [
    "normal_force_N",
    "friction_force_N",
    "gap_m",
    "slip_m_per_s",
    "force_x_N",
    "force_y_N",
    "force_z_N",
  ];
  const overGap = () => {
    app.keepsCurves = true;
    app.setCurves([`${owner}.normal_force_N`], `${owner}.gap_m`);
  };
  const when = `${clock(frame.time, app.player.status.interval)} s`;
  return [
    element("h2", {}, `${a} – ${b}`),
    element(
      "div",
      { class: "bar" },
      element("span", { class: "small grow" }, when + (place.region ? `, region ${place.region}` : "")),
      element("button", { title: "Normal force over the gap", onclick: overGap }, "force over gap"),
      closeButton(app),
    ),
    found ? factTable(contactRows(app, found, b)) : element("p", { class: "note" }, "These bodies do not touch now."),
    ...overTime(app, owner, "contacts", [...columns, "pressure_Pa"]),
  ];
}

function chosenJoint(app, joint) {
  const { about } = app;
  const owner = `joint ${about.joints[joint]}`;
  const known = about.sheets.joints.filter((column) => app.source.has(`${owner}.${column.name}`));
  const values = app.player.status.frames > 1 ? app.valuesNow(known.map((column) => `${owner}.${column.name}`)) : [];
  const rows = known
    .map((column, k) => [splitColumn(column.name, column.unit).split(" / ")[0], digits(values[k], 5), column.unit])
    .filter((_, k) => Number.isFinite(values[k]));
  const [a, b] = about.jointPlaces[joint].map((end) => about.bodies[end.body].name);
  return [
    element("h2", {}, about.joints[joint]),
    element("div", { class: "bar" }, element("span", { class: "small grow" }, `${a} – ${b}`), closeButton(app)),
    factTable(rows),
    ...overTime(
      app,
      owner,
      "joints",
      known.map((column) => column.name),
    ),
  ];
}

// Springs, ropes and rods: their length is known from where their ends are.
function chosenLine(app, k) {
  const line = app.renderer.geometry.lines[k];
  const [a, b] = line.ends.map((end) => app.about.bodies[end.body].name);
  return [
    element("h2", {}, `${line.coiled ? "Spring" : "Line"} from ${a} to ${b}`),
    element("div", { class: "bar" }, element("span", { class: "grow" }), closeButton(app)),
    factTable([["length", digits(app.lineLength(k), 6), "m"]]),
    ...overTime(app, lineOwner(app.about, app.renderer.geometry, k), "lines", ["length_m"]),
  ];
}
