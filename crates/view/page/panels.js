// The panels beside the picture: bodies, what is chosen, what is shown, the run.

import { byId, clock, digits, element, renew, rgb } from "./format.js";
import { chosenPanel } from "./chosen.js";
import { factTable } from "./chosen_tables.js";

const LISTED = 500;
// Lines of a text as it was written, put together into paragraphs.
const unwrapped = (text) => text.trim().replace(/([^\n])\n(?=[^\n])/g, "$1 ");

export class Panels {
  // `app` has about, looks, show, player, choice and what changes them.
  constructor(app) {
    this.app = app;
    this.current = "bodies";
    this.filter = "";
    this.names = { bodies: "Bodies", chosen: "Chosen", show: "Show", run: "Run" };
    this.build();
  }

  build() {
    byId("tabs").replaceChildren(
      ...Object.entries(this.names).map(([key, name]) =>
        element(
          "button",
          {
            role: "tab",
            id: `tab-${key}`,
            "aria-selected": String(key === this.current),
            "aria-controls": "panel",
            tabindex: key === this.current ? "0" : "-1",
            onclick: () => this.open(key),
            onkeydown: (event) => this.moveTab(event, key),
          },
          name,
        ),
      ),
    );
    byId("panel").setAttribute("aria-labelledby", `tab-${this.current}`);
    byId("panel").replaceChildren(...this[this.current]());
  }

  moveTab(event, key) {
    const keys = Object.keys(this.names);
    const sense = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!sense) return;
    event.stopPropagation();
    const next = keys[(keys.indexOf(key) + sense + keys.length) % keys.length];
    this.open(next);
    byId(`tab-${next}`).focus();
  }

  // What had the focus in the panel before is gone: the panel itself has it then.
  open(key) {
    const hadFocus = byId("panel").contains(document.activeElement);
    this.current = key;
    this.build();
    if (hadFocus) byId("panel").focus();
  }

  // Numbers that change with time.
  refresh() {
    if (this.current === "chosen" || this.current === "run") {
      renew(byId("panel"), this[this.current]());
    }
  }

  bodies() {
    const { app } = this;
    const search = element("input", {
      type: "search",
      placeholder: "Find a body",
      "aria-label": "Find a body",
      value: this.filter,
      oninput: (event) => {
        this.filter = event.target.value;
        list.replaceChildren(...this.bodyRows());
      },
    });
    const list = element("ul", { class: "bodies", "aria-label": "Bodies" }, ...this.bodyRows());
    const all = (hidden) => () => {
      app.looks.forEach((look) => (look.hidden = hidden));
      app.changed();
      this.build();
    };
    return [
      app.about.bodies.length > 8 ? search : null,
      element(
        "div",
        { class: "bar" },
        element("span", { class: "small grow" }, `${app.about.bodies.length} ${app.about.bodies.length === 1 ? "body" : "bodies"}`),
        element("button", { class: "quiet", onclick: all(false) }, "show all"),
        element("button", { class: "quiet", onclick: all(true) }, "hide all"),
      ),
      list,
    ].filter(Boolean);
  }

  bodyRows() {
    const { app } = this;
    const wanted = app.about.bodies
      .map((body, k) => [body, k])
      .filter(([body]) => body.name.toLowerCase().includes(this.filter.toLowerCase()));
    const rows = wanted.slice(0, LISTED).map(([body, k]) => {
      const look = app.looks[k];
      return element(
        "li",
        { class: app.choice?.body === k ? "chosen" : "" },
        element("input", {
          type: "checkbox",
          checked: !look.hidden,
          "aria-label": `Show ${body.name}`,
          onchange: (event) => {
            look.hidden = !event.target.checked;
            app.changed();
          },
        }),
        element("span", { class: "swatch", "data-colour": rgb(body.colour ?? [150, 154, 160]) }),
        element("button", { class: "name", title: body.name, onclick: () => app.choose({ body: k }) }, body.name),
        element("input", {
          type: "range",
          min: "0.1",
          max: "1",
          step: "0.05",
          value: look.opacity,
          "aria-label": `Opacity of ${body.name}`,
          title: "Opacity",
          oninput: (event) => {
            look.opacity = Number(event.target.value);
            app.changed();
          },
        }),
      );
    });
    if (wanted.length > LISTED)
      rows.push(element("li", { class: "note" }, `and ${wanted.length - LISTED} more: type a part of their names`));
    for (const row of rows) {
      const swatch = row.querySelector(".swatch");
      // Set by script: the content policy allows no styles in the markup.
      if (swatch) swatch.style.backgroundColor = swatch.dataset.colour;
    }
    return rows;
  }

  chosen() {
    return chosenPanel(this.app);
  }

  option(text, key, title) {
    const { app } = this;
    return element(
      "label",
      { class: "option", title },
      element("input", {
        type: "checkbox",
        id: `show-${key}`,
        checked: app.show[key],
        onchange: (event) => {
          app.show[key] = event.target.checked;
          app.changed();
        },
      }),
      element("span", {}, text),
    );
  }

  slider(text, key, low, high, step, told) {
    const { app } = this;
    const value = element("output", {}, told(app.show[key]));
    return element(
      "label",
      { class: "option" },
      element("span", {}, text),
      element("input", {
        type: "range",
        id: `show-${key}`,
        min: low,
        max: high,
        step,
        value: app.show[key],
        oninput: (event) => {
          app.show[key] = Number(event.target.value);
          value.textContent = told(app.show[key]);
          app.changed();
        },
      }),
      value,
    );
  }

  // What contours are; a page to send may not have them at every frame.
  contourTitle() {
    const { contourEvery } = this.app.about;
    const told = "Where meshes cut each other, or a half-space";
    return contourEvery > 1 ? `${told}; at one of ${contourEvery} frames` : told;
  }

  show() {
    const { app } = this;
    const axis = element(
      "select",
      {
        id: "show-cut",
        "aria-label": "Cut across",
        onchange: (event) => {
          app.setCut(event.target.value);
          this.build();
          byId("show-cut").focus();
        },
      },
      ...[
        ["", "no cut"],
        ["x", "across x"],
        ["y", "across y"],
        ["z", "across z"],
        ["view", "across the view"],
      ].map(([value, name]) => element("option", { value, selected: app.show.cut === value }, name)),
    );
    return [
      element("h2", {}, "Contacts"),
      this.option("points", "points"),
      this.option("forces", "forces", "On the body that forces move"),
      this.option("friction alone", "friction"),
      this.option("slip", "slip", "The velocity of the second body's material against the first one's"),
      this.option("ellipses of Hertz", "ellipses", "Coloured by their greatest pressure, blue to red"),
      this.option("normals", "normals"),
      this.option("frames n, t, b", "frames", "Normal, direction of the least relative curvature, and across both"),
      this.option("contours of regions", "contours", this.contourTitle()),
      element("h2", {}, "Bodies"),
      this.option("mean curvature", "curvature", "Colours by the mean of both principal curvatures"),
      this.option("borders of charts and patches", "charts"),
      app.about.joints.length > 0 ? this.option("joints", "joints") : null,
      element("h2", {}, "Picture"),
      this.option("shadows", "shadows"),
      this.option("grid where there is no floor", "grid"),
      this.option("axes of what is chosen", "axes"),
      element("h2", {}, "Past"),
      this.slider("ghosts", "ghosts", 0, 8, 1, (v) => String(v)),
      this.slider("frames between", "ghostStep", 1, 50, 1, (v) => String(v)),
      element("p", { class: "note" }, "Paths are switched on for a body that is chosen."),
      element("h2", {}, "Cut away"),
      element("label", { class: "option" }, element("span", {}, "plane"), axis),
      this.slider("place", "cutPlace", -1, 1, 0.01, (v) => app.cutText(v)),
      this.option("other side", "cutFlip"),
    ].filter(Boolean);
  }

  run() {
    const { about, player, events } = this.app;
    const { status } = player;
    const rows = [
      ["state", status.state, ""],
      ["frames", String(status.recorded ?? status.frames), ""],
      ["reached", digits(status.last, 6), "s"],
      ["to end at", digits(status.end, 6), "s"],
      ["interval", digits(status.interval, 4), "s"],
    ];
    // While it goes on, these are what they were as it began.
    const isKnown = status.state !== "running";
    if (isKnown && status.steps !== null && status.steps !== undefined)
      rows.push(
        ["steps", String(status.steps), ""],
        ["contacts", String(status.events ?? 0), ""],
        ["wall time", digits(status.wall, 3), "s"],
      );
    const marks = events
      .slice(0, 200)
      .map((event) =>
        element(
          "tr",
          {},
          element(
            "td",
            {},
            element(
              "button",
              { class: "row-link", onclick: () => player.seek(event.start + status.interval) },
              `${clock(event.start, status.interval)} s`,
            ),
          ),
          element("td", {}, `${event.a} – ${event.b}`),
          element("td", { class: "number" }, event.force ? `${digits(event.force, 3)} N` : ""),
        ),
      );
    return [
      element("h2", {}, about.title),
      about.description ? element("p", { class: "note" }, unwrapped(about.description)) : null,
      about.verdict ? element("p", { class: "note" }, about.verdict) : null,
      isKnown && status.health ? element("p", {}, status.health) : null,
      status.error ? element("p", {}, status.error) : null,
      factTable(rows),
      marks.length > 0 ? element("h2", {}, "Contacts that began") : null,
      marks.length > 0 ? element("table", {}, element("tbody", {}, ...marks)) : null,
    ].filter(Boolean);
  }
}
