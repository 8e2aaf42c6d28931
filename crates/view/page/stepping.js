// One output of a run at a time: a run that was stopped goes on by one, a scene begins a run of one, a run that goes on is
// stopped.

import { call } from "./api.js";

const PAUSE = 60;
const PATIENCE = 60000;

// A run can go on by one output.
const isPaused = (run) => !run.alive && !run.waiting && (run.state === "stopped" || run.state === "running");

// Steps what is shown.
export async function stepShown(studio) {
  if (studio.isStepping) return;
  const shown = studio.runs.find((run) => run.run === studio.shown[0]);
  if (shown && (shown.alive || shown.waiting)) await studio.act("stop", shown.run);
  else if (shown && isPaused(shown)) await stepRun(studio, shown);
  else if (!shown) await guarded(studio, () => studio.begin({ steps: true }));
  else studio.say("this run has ended: choose the scene to begin another", true);
}

// One output of a run that was stopped.
export const stepRun = (studio, { run }) =>
  guarded(studio, async () => {
    await call("api/step", { run });
    return run;
  });

async function guarded(studio, begin) {
  if (studio.isStepping) return;
  studio.isStepping = true;
  try {
    await showLast(studio, await begin());
  } catch (error) {
    studio.say(error.message, true);
  } finally {
    studio.isStepping = false;
  }
}

// Waits for the end of a step and shows what it has brought.
async function showLast(studio, number) {
  const own = () => studio.runs.find((run) => run.run === number);
  const begun = performance.now();
  do {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    await studio.listRuns();
  } while (own()?.alive && performance.now() - begun < PATIENCE);
  const run = own();
  if (!run?.state) throw new Error(run?.words || "the run did not begin");
  if (studio.shown.length !== 1 || studio.shown[0] !== number) studio.open(number);
  await studio.settled(number);
  const app = studio.viewer(number);
  // The server follows the folder by itself, a moment later.
  for (let k = 0; k < 50 && app; k++) {
    await app.look().catch(() => {});
    if (app.player.status.last >= run.reached - 1e-12) break;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  if (app) app.wasFollowed = true;
  app?.player.follow(true);
  studio.say(`${run.state === "finished" ? "finished" : "one step"}: ${Number(run.reached.toPrecision(6))} s`);
}
