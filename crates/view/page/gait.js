// The gait panel: a trial of the studio's folder checked, its foot fitted, its ground forces predicted, each by the command
// itself; markers, measured and predicted forces from the files.

import { textOf } from "./api.js";
import { LineChart } from "./chart.js";
import { CURVE_COLOURS, digits, element } from "./format.js";
import { MarkerView } from "./markers.js";
import { loadColumn, loadsOf, parseMarkers, parseStorage, stem } from "./storage.js";
import { gaitTasks } from "./gait_tasks.js";

const QUANTITIES = [
  ["vx", "force x / N"],
  ["vy", "force y / N"],
  ["vz", "force z / N"],
  ["px", "centre of pressure x / m"],
  ["py", "centre of pressure y / m"],
  ["pz", "centre of pressure z / m"],
  ["torque_x", "torque x / N m"],
  ["torque_y", "torque y / N m"],
  ["torque_z", "torque z / N m"],
];

export class GaitPanel {
  constructor(form, view, studio) {
    Object.assign(this, { form, view, studio });
    this.values = {};
    this.tasks = [];
    this.sources = [];
    this.quantity = null;
  }

  async enter() {
    this.tools = (await this.studio.ask("api/tools")).filter((tool) => tool.name.startsWith("gait "));
    this.names = await this.studio.ask("api/files");
    this.trials = this.tools[0]?.files ?? [];
    if (!this.holder) this.build();
    await this.listTasks();
    if (!this.trial && this.trials.length > 0)
      await this.choose(this.trials.find((name) => !/static/i.test(name)) ?? this.trials[0]);
    else this.show();
  }

  build() {
    this.holder = element("div", {});
    this.form.replaceChildren(this.holder);
    this.canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": "Markers" });
    this.slider = element("input", {
      type: "range",
      min: "0",
      value: "0",
      "aria-label": "Instant of the walk",
      oninput: () => this.seek(Number(this.slider.value)),
    });
    this.clock = element("output", {});
    this.play = element("button", { "aria-label": "Play the walk", onclick: () => this.togglePlay() }, "▶");
    this.plot = element("canvas", { role: "img", class: "chart", "aria-label": "Forces" });
    this.legend = element("ul", { class: "legend" });
    this.select = element(
      "select",
      { "aria-label": "What is drawn", onchange: () => this.draw(this.select.value) },
      ...QUANTITIES.map(([value, text]) => element("option", { value }, text)),
    );
    this.report = element("div", { class: "report", tabindex: "0", role: "region", "aria-label": "Report" });
    this.view.replaceChildren(
      element(
        "div",
        { class: "gait-picture" },
        this.canvas,
        element("div", { class: "bar" }, this.play, this.slider, this.clock),
      ),
      element("div", { class: "gait-plot" }, element("div", { class: "bar" }, this.select), this.legend, this.plot),
      this.report,
    );
    this.markers = new MarkerView(this.canvas);
    this.chart = new LineChart(this.plot, { x: "time in s", y: "" });
  }

  show() {
    const options = new Map(this.tools.flatMap((tool) => tool.options.map((option) => [option.name, option])));
    this.holder.replaceChildren(
      element("h2", {}, "Walking trial"),
      this.trials.length === 0
        ? element(
            "p",
            { class: "note" },
            "There is no trial, .trc, in the studio's folder. rattleback gait example writes one.",
          )
        : this.field(
            "walk",
            element(
              "select",
              { id: "trial", onchange: (event) => this.choose(event.target.value) },
              ...this.trials.map((name) => element("option", { value: name, selected: name === this.trial }, name)),
            ),
          ),
      ...[...options.values()].map((option) => this.option(option)),
      element(
        "div",
        { class: "bar wrap" },
        ...this.tools.map((tool) =>
          element(
            "button",
            {
              id: `task-${tool.name.replace(" ", "-")}`,
              class: tool.name === "gait predict" ? "main" : "",
              title: tool.meaning,
              disabled: !this.trial,
              onclick: () => this.start(tool),
            },
            tool.name.replace("gait ", ""),
          ),
        ),
      ),
      element("h2", {}, "Done so far"),
      element("div", { class: "tasks" }, ...this.tasks.map((task) => this.taskRow(task))),
    );
  }

  field(label, input, title = "") {
    return element(
      "div",
      { class: "field", title },
      element("label", { class: "bar" }, element("span", { class: "key long" }, label), input),
    );
  }

  option({ name, meaning, type, choices }) {
    const change = (event) => (this.values[name] = event.target.value);
    const value = this.values[name] ?? "";
    const input =
      type === "choice"
        ? element(
            "select",
            { onchange: change },
            element("option", { value: "" }, "default"),
            ...choices.map((own) => element("option", { value: own, selected: own === value }, own)),
          )
        : element("input", {
            type: "text",
            value,
            placeholder: type === "interval" ? "0.6,1.5" : "default",
            onchange: change,
          });
    return this.field(name.replace("-", " "), input, meaning);
  }

  // The walk's markers, and the plates by their name; the check says better which they are.
  async choose(trial) {
    this.trial = trial;
    this.sources = [];
    try {
      this.walk = parseMarkers(await textOf(`api/file?name=${encodeURIComponent(trial)}`));
      this.slider.max = String(Math.max(0, this.walk.times.length - 1));
      const plates = this.names.filter((name) => /\.(mot|sto)$/i.test(name));
      const own = plates.find((name) => name.startsWith(stem(trial)));
      if (own) await this.measured(own);
    } catch (error) {
      this.studio.say(`${trial}: ${error.message}`, true);
    }
    this.show();
    this.draw();
    this.seek(0);
  }

  async measured(name) {
    const storage = parseStorage(await textOf(`api/file?name=${encodeURIComponent(name)}`));
    this.sources = [{ name: "measured", storage }, ...this.sources.filter((own) => own.name !== "measured")];
  }

  // The axis that points up: along it plates are pressed hardest.
  get up() {
    const [first] = this.sources;
    if (!first) return 1;
    const sum = (axis) =>
      loadsOf(first.storage).reduce(
        (all, load) =>
          all + (loadColumn(first.storage, load, `v${axis}`) ?? []).reduce((own, x) => own + Math.abs(x), 0),
        0,
      );
    const sums = ["x", "y", "z"].map(sum);
    return sums.indexOf(Math.max(...sums));
  }

  draw(quantity = this.quantity ?? `v${"xyz"[this.up]}`) {
    this.quantity = quantity;
    this.select.value = quantity;
    const curves = [];
    const loads = [];
    this.sources.forEach(({ name, storage }, j) => {
      loadsOf(storage).forEach((load, k) => {
        const values = loadColumn(storage, load, quantity);
        if (!values) return;
        const colour = CURVE_COLOURS[(k + 2 * j) % CURVE_COLOURS.length];
        const dashed = name !== "measured";
        const band = loadColumn(storage, `${load}sd_`, quantity);
        curves.push({
          name: `${name}, ${load.replace(/_?force_$/, "").replace(/_v?$/, "")}`,
          colour,
          dashed,
          times: storage.times,
          values,
          band,
        });
        loads.push({ storage, load, colour, dashed });
      });
    });
    const label = QUANTITIES.find(([own]) => own === quantity)?.[1] ?? "";
    this.chart.show(curves, { x: "time in s", y: label });
    this.legend.replaceChildren(
      ...curves.map(({ name, colour, dashed }) => {
        const swatch = element("span", { class: `swatch${dashed ? " dashed" : ""}` });
        swatch.style.backgroundColor = colour;
        return element("li", {}, swatch, name);
      }),
    );
    if (this.walk) this.markers.show(this.walk, loads, this.up);
  }

  seek(frame) {
    this.markers.frame = frame;
    this.slider.value = String(frame);
    this.clock.textContent = `${digits(this.walk?.times[frame] ?? 0, 4)} s`;
    this.markers.draw();
    this.chart.cursor = this.walk?.times[frame] ?? null;
    this.chart.draw();
  }

  togglePlay() {
    this.playing = !this.playing;
    this.play.textContent = this.playing ? "❚❚" : "▶";
    const times = this.walk?.times ?? [];
    if (!this.playing || times.length < 2) return;
    const [begun, from] = [performance.now(), times[this.markers.frame]];
    const step = (now) => {
      if (!this.playing) return;
      const span = times[times.length - 1] - times[0];
      const time = times[0] + ((from - times[0] + (now - begun) / 1000) % span);
      this.seek(
        Math.max(
          0,
          times.findIndex((own) => own >= time),
        ),
      );
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
}

Object.assign(GaitPanel.prototype, gaitTasks);
