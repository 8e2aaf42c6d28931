// The list of runs.

import { byId, digits, element, renew } from "./format.js";
import { stepRun } from "./stepping.js";

// How a run is, in a word. One whose process is gone while its folder says that it goes on has been killed.
function stateOf(run) {
  if (run.stopping) return "stopping";
  if (run.waiting) return "waits";
  // All is computed, its report is being written.
  if (run.alive) return run.state === "finished" || run.state === "broken" ? "finishing" : "running";
  return run.state === "running" ? "killed" : (run.state ?? "failed");
}

// What became of a run, in a line.
function outcomeOf(run) {
  if (run.alive || run.waiting) return "";
  if (run.state === "running") return "Its process ended without a word; resume takes it up at its last checkpoint.";
  return run.verdict?.split("\n")[0] ?? run.health ?? run.words?.split("\n")[0] ?? "";
}

// The runs as rows: how far they are, what became of them, stop and resume.
export function showRuns(studio) {
  // Cells of the table of verdicts stand there.
  const listed = studio.runs.filter((run) => !(studio.part === "anchor" && run.label?.table));
  const rows = listed.map((run) => {
    const share = run.end > 0 ? (run.reached ?? 0) / run.end : 0;
    return element(
      "tr",
      {},
      element(
        "td",
        {},
        element(
          "button",
          { class: "row-link", disabled: !run.state, onclick: () => studio.open(run.run) },
          studio.runName(run),
        ),
      ),
      element("td", { title: run.words || "" }, stateOf(run)),
      element(
        "td",
        {},
        element("progress", { value: share, max: "1", "aria-label": `How far ${studio.runName(run)} is` }),
      ),
      element("td", { class: "number" }, `${digits(run.reached ?? 0, 4)} s`),
      element("td", { title: outcomeOf(run) }, outcomeOf(run)),
      element(
        "td",
        {},
        run.alive || run.waiting
          ? element("button", { onclick: () => studio.act("stop", run.run), disabled: run.stopping }, "stop")
          : run.state === "stopped" || run.state === "running"
            ? element(
                "span",
                { class: "bar" },
                element("button", { onclick: () => studio.act("resume", run.run) }, "resume"),
                element("button", { onclick: () => stepRun(studio, run), title: "One output" }, "step"),
              )
            : "",
      ),
    );
  });
  // Buttons stay while numbers change, or a click that begins on one would end on another.
  renew(byId("runs"), rows.length > 0 ? [element("table", {}, element("tbody", {}, ...rows))] : []);
}
