// Runs of the studio: started, found in the list, shown; methods of Studio.

import { call } from "./api.js";
import { showRuns } from "./run_list.js";

export const studioRuns = {
  // A run of the list in the picture, with what became of it.
  open(run) {
    this.show([run]);
    this.showResult();
  },

  showResult() {
    const run = this.runs.find((own) => own.run === this.shown[0]);
    if (run && this.shown.length === 1 && this.part !== "compare") this.result.show(run);
    else this.result.hide();
  },

  async run() {
    try {
      const run = await this.begin();
      this.say("started");
      await this.waitFor(run);
    } catch (error) {
      this.say(error.message, true);
    }
  },

  // Starts a run of the text; returns its number.
  async begin(options = {}) {
    const label = { manoeuvre: this.anchor.isManoeuvre };
    const { run } = await call("api/run", { ...this.sent, label, ...options });
    return run;
  },

  // Shows a run as soon as its folder is there, and follows it.
  async waitFor(run) {
    for (let k = 0; k < 200; k++) {
      await this.listRuns();
      const own = this.runs.find((other) => other.run === run);
      if (own?.state) return this.open(run);
      if (own && !own.alive && own.words) return this.say(own.words, true);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  },

  async act(what, run) {
    try {
      await call(`api/${what}`, { run });
      await this.listRuns();
    } catch (error) {
      this.say(error.message, true);
    }
  },

  async listRuns() {
    this.runs = await call("api/runs");
    // A manoeuvre is known by the scene that was sent, until its verdict tells.
    for (const run of this.runs) run.isManoeuvre = run.label?.manoeuvre === true;
    this.showTabs();
    this.showResult();
    if (this.part === "anchor") this.table.show();
    showRuns(this);
  },
};
