// The fields of the anchor panel: keys of the scene and their words, and a sea to begin with.

export const MESHES = /\.(stl|obj|ply|off|3mf|gltf|glb|dae)$/i;
// Between the centres of two common links, in bar diameters: 6 d less the bar at both ends.
export const PITCH = 4;
// A sea to begin with: significant height and peak period of the study of manoeuvres, the ship's answers to waves, and
// the centre of her motion seen from the mouth of the pipe.
export const SEA = {
  type: "seaway",
  spectrum: { type: "jonswap", height: "4 m", peak_period: "9 s", peakedness: 3.3 },
  responses: [
    { freedom: "heave", per_metre: 0.7 },
    { freedom: "pitch", per_metre: "1.2 deg/m", phase: "86 deg" },
    { freedom: "roll", significant: "8 deg", phase: "46 deg" },
  ],
  ramp: "5 s",
  centre: ["-60 m", "-8 m", "-6 m"],
};

export const PULL = "windlass 1.pull_N";

export const GROUPS = [
  {
    title: "Time",
    fields: [
      ["run.duration", "duration"],
      ["output.every", "record every"],
    ],
  },
  {
    title: "Start",
    fields: [
      ["manoeuvre.depth", "depth below the lip"],
      ["manoeuvre.heading", "heading"],
      ["manoeuvre.lean", "lean of the chain"],
      ["manoeuvre.swing_speed", "swing speed"],
      ["manoeuvre.tilt", "tilt of the head"],
    ],
  },
  {
    title: "Contact",
    fields: [
      ["manoeuvre.friction", "friction, sliding"],
      ["manoeuvre.static_friction", "friction, sticking"],
      ["manoeuvre.viscous_friction", "viscous friction"],
      ["manoeuvre.stick_speed", "stick speed"],
      ["manoeuvre.link_friction", "friction of links"],
      ["manoeuvre.stiffness", "stiffness"],
      ["manoeuvre.restitution", "restitution"],
      ["manoeuvre.chain_on_anchor", "chain on anchor"],
      ["manoeuvre.penalty", "penalty of joints"],
    ],
  },
];
export const HULL = [
  ["manoeuvre.hull.pipe_diameter", "pipe diameter"],
  ["manoeuvre.hull.pipe_angle", "pipe angle"],
  ["manoeuvre.hull.lip_radius", "lip radius"],
  ["manoeuvre.hull.flare", "flare"],
];
// Measures that are rarely changed; those of the mesh do not count where the hull is a file.
export const MORE_OF_PIPE = [
  ["manoeuvre.hull.pipe_heading", "pipe heading"],
  ["manoeuvre.hull.pipe_length", "pipe length"],
  ["manoeuvre.hull.entrance", "entrance"],
];
export const MORE_OF_PLATING = [
  ["manoeuvre.hull.section_radius", "section radius"],
  ["manoeuvre.hull.half_width", "half width"],
  ["manoeuvre.hull.half_height", "half height"],
  ["manoeuvre.hull.thickness", "thickness"],
  ["manoeuvre.hull.chord", "chord of the mesh"],
];
export const WINDLASS = [
  ["manoeuvre.diameter", "bar diameter"],
  ["manoeuvre.speed", "heaving speed"],
  ["manoeuvre.limit", "largest pull"],
];

// A path as text in parts.
export const at = (path) => path.split(".");

// What a tree has at a path.
export const valueAt = (tree, path) => path.reduce((own, key) => own?.[key], tree);
