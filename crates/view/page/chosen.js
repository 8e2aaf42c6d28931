// The panel of what is chosen: a body, a contact, a joint or a line between bodies, its numbers now and its curves.

import { clock, digits, element } from "./format.js";
import { contactAt, contactCount } from "./source.js";
import { norm } from "./algebra.js";
import { closeButton, directionText, factTable, overTime, vectorText } from "./chosen_tables.js";
import { chosenJoint, chosenLine, chosenSpring, jointList, lineList } from "./chosen_links.js";

const LISTED_CONTACTS = 40;

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
  if (choice.spring !== undefined) return chosenSpring(app, choice.spring);
  return chosenContact(app, choice.contact);
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
      about.sheets.states,
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
    ...overTime(app, owner, about.sheets.contacts, [...columns, "pressure_Pa"]),
  ];
}
