// What became of a manoeuvre: the pull over time, the verdict, the pose and the hardest contacts; while it runs, what is
// known so far.

import { seriesOf } from "./api.js";
import { LineChart } from "./chart.js";
import { digits, element } from "./format.js";

const CURVE = "windlass 1.pull_N";
const degrees = (angle) => `${digits((180 / Math.PI) * angle, 3)}°`;
const force = (newtons) => `${digits(newtons / 1000, 4)} kN`;
const point = (p) => `(${p.map((x) => digits(x, 3)).join(", ")}) m`;

export class AnchorResult {
  constructor(holder) {
    this.holder = holder;
    this.run = null;
  }

  hide() {
    this.run = null;
    this.holder.hidden = true;
  }

  // Shows a run of the list; the chart is drawn anew when it has come farther.
  async show(run) {
    if (!run.label?.table && !run.verdict && !run.isManoeuvre) return this.hide();
    this.holder.hidden = false;
    if (this.run !== run.run) {
      this.run = run.run;
      this.seen = null;
      this.facts = element("div", { class: "facts", "aria-live": "polite" });
      const canvas = element("canvas", { role: "img", class: "chart", "aria-label": "Pull of the windlass" });
      this.holder.replaceChildren(canvas, this.facts);
      this.chart = new LineChart(canvas, { x: "time in s", y: "pull in kN" });
    }
    const state = `${run.alive} ${run.reached}`;
    if (state === this.seen) return null;
    this.seen = state;
    try {
      const { times, values } = await seriesOf(run.run, [CURVE]);
      if (this.run !== run.run) return null;
      this.chart.show([{ name: "pull", colour: "#4477aa", times, values: values[0].map((pull) => pull / 1000) }]);
      this.tell(run, values[0]);
    } catch (error) {
      this.facts.replaceChildren(element("p", { class: "note" }, error.message));
    }
    return null;
  }

  tell(run, pulls) {
    const { outcome } = run;
    if (!outcome) {
      const lines = run.verdict ? run.verdict.trim().split("\n") : [];
      const now =
        pulls.length > 0 ? `Pull now ${force(pulls[pulls.length - 1])}, ${force(Math.max(...pulls))} at most.` : "";
      const so = run.alive
        ? [`On its way: ${digits(run.reached ?? 0, 3)} of ${digits(run.end ?? 0, 3)} s.`, now]
        : lines;
      this.facts.replaceChildren(...so.map((line) => element("p", {}, line)));
      return;
    }
    const rows = [
      [
        "shackle in the pipe by",
        `${digits(outcome.entered_m, 3)} m of ${digits(outcome.shank_length_m, 3)} m of shank`,
      ],
      ["shank to pipe", degrees(outcome.angle_to_pipe_rad)],
      ["head to shank", degrees(outcome.head_angle_rad)],
      ["pull, end and most", `${force(outcome.pull_end_N)}, ${force(outcome.pull_most_N)}`],
      ["deepest overlap", `${digits(1000 * outcome.deepest_m, 3)} mm`],
    ];
    for (const [part, peak] of ["head", "shank", "chain"].map((part) => [part, outcome.hardest?.[part]]))
      if (peak)
        rows.push([
          `hardest, ${part}`,
          `${force(peak.force_N)} at ${digits(peak.time_s, 4)} s, ${point(peak.point_m)}`,
        ]);
    for (const place of (outcome.bears ?? []).slice(0, 3))
      rows.push(["bears at the end", `${place.body}, ${force(place.force_N)}, ${point(place.point_m)}`]);
    this.facts.replaceChildren(
      element("p", { class: "outcome" }, run.verdict?.split("\n")[0] ?? outcome.outcome),
      element(
        "table",
        {},
        element(
          "tbody",
          {},
          ...rows.map(([what, value]) =>
            element("tr", {}, element("th", { scope: "row" }, what), element("td", {}, value)),
          ),
        ),
      ),
    );
  }
}
