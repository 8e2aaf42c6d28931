// What is chosen: picked in the picture or in a list, followed, hidden; methods of the page's App.

import { norm, subtract } from "./algebra.js";
import { contactAt, contactCount } from "./source.js";
import { LINE_IDENTITY } from "./links.js";
import { CONTACT_IDENTITY, JOINT_IDENTITY } from "./marks.js";

// The curves that say how hard a line pulls, or a torsion spring turns.
function forceCurves(owner) {
  const columns = owner.startsWith("joint ")
    ? ["force_x_N", "force_y_N", "force_z_N"]
    : [owner.startsWith("windlass ") ? "pull_N" : owner.startsWith("torsion_spring ") ? "torque_N_m" : "tension_N"];
  return columns.map((column) => `${owner}.${column}`);
}

export const choosing = {
  pick(x, y) {
    const found = this.renderer.pick(x, y, this.view, this.options(this.view));
    if (found >= CONTACT_IDENTITY) this.choose({ contact: found - CONTACT_IDENTITY });
    else if (found >= JOINT_IDENTITY) this.choose({ joint: found - JOINT_IDENTITY });
    else if (found >= LINE_IDENTITY) this.choose({ line: found - LINE_IDENTITY });
    else this.choose(found > 0 ? { body: found - 1 } : null);
    return found;
  },

  choose(choice) {
    if (choice?.contact !== undefined) {
      // A contact is remembered by what touches: its place changes from frame to frame.
      const found = typeof choice.contact === "number" ? contactAt(this.frame, choice.contact) : choice.contact;
      choice = { contact: { a: found.a, partA: found.partA, b: found.b, partB: found.partB, region: found.region } };
    }
    this.choice = choice;
    this.panels.open(choice ? "chosen" : this.panels.current === "chosen" ? "bodies" : this.panels.current);
    this.plotChosen();
    this.changed();
  },

  // The curves of what was chosen, unless somebody has chosen others by hand.
  plotChosen() {
    const { choice, about } = this;
    if (!choice || this.keepsCurves || this.player.status.frames < 2) return;
    const name = (k) => about.bodies[k].name;
    let curves = [];
    if (choice.body !== undefined && about.bodies[choice.body].free)
      curves = ["x_m", "y_m", "z_m"].map((column) => `${name(choice.body)}.${column}`);
    else if (choice.contact) {
      const pair = `${name(choice.contact.a)}|${name(choice.contact.b)}`;
      curves = ["normal_force_N", "friction_force_N"].map((column) => `${pair}.${column}`);
    } else if (choice.joint !== undefined)
      curves = ["force_x_N", "force_y_N", "force_z_N"].map((column) => `joint ${about.joints[choice.joint]}.${column}`);
    else if (choice.line !== undefined) curves = forceCurves(this.renderer.geometry.lines[choice.line].owner);
    else if (choice.spring !== undefined) curves = forceCurves(about.springs[choice.spring].name);
    curves = curves.filter((curve) => this.source.has(curve));
    if (curves.length > 0) this.setCurves(curves, null);
  },

  // Values of curves at the frame that is shown, as soon as they are here; the panel is refreshed then.
  valuesNow(names) {
    const key = `${this.frame.number} ${names.join(" ")}`;
    if (this.now?.key === key) return this.now.values;
    const before = this.now?.values ?? [];
    if (!this.asksNow) {
      this.asksNow = true;
      this.source
        .series(names, this.frame.number, 1, 1)
        .then(({ values }) => (this.now = { key, values: values.map((value) => value[0]) }))
        .catch((error) => (this.now = { key, values: [], error }))
        .finally(() => {
          this.asksNow = false;
          this.panels.refresh();
        });
    }
    return before;
  },

  // How long a line between bodies is now.
  lineLength(k) {
    const [a, b] = this.renderer.lineEnds(this.renderer.geometry.lines[k], this.frame.poses);
    return norm(subtract(b, a));
  },

  contactIndex(wanted) {
    for (let k = 0; k < contactCount(this.frame); k++) {
      const own = contactAt(this.frame, k);
      if (["a", "partA", "b", "partB", "region"].every((key) => own[key] === wanted[key])) return k;
    }
    return null;
  },

  findContact(wanted) {
    const k = this.contactIndex(wanted);
    return k === null ? null : contactAt(this.frame, k);
  },

  setFollow(body) {
    this.follow = body;
    this.changed();
    this.panels.refresh();
  },

  // Brings a body before the eye, however small or far away it is.
  lookAt(body) {
    const { camera, frame, renderer } = this;
    const p = frame.poses.subarray(7 * body, 7 * body + 3);
    const reach = renderer.parts.reachOf(body) || renderer.geometry.radius;
    camera.target = [p[0], p[1], p[2]];
    camera.distance = Math.max(1e-9, (2.5 * reach) / Math.tan(0.5 * camera.fov));
    this.changed();
  },

  hide(body) {
    this.looks[body].hidden = true;
    this.choose(null);
    this.panels.open("bodies");
  },
};
