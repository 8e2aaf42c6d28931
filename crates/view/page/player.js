// The time that is shown: played, scrubbed, stepped, slowed, looped.

export const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Player {
  constructor(changed) {
    this.changed = changed;
    this.status = { begin: 0, last: 0, end: 0, interval: 1, frames: 1, state: "scene" };
    this.time = 0;
    this.playing = false;
    this.loops = true;
    this.speed = 1;
    // Whether the last frame of a run that goes on is shown as it comes.
    this.following = false;
    this.stamp = null;
  }

  update(status) {
    this.status = status;
    if (this.following) this.time = status.last;
    this.time = Math.max(status.begin, Math.min(this.time, status.last));
    this.changed();
  }

  // A speed at which the whole takes some ten seconds, or real time where that is near.
  chooseSpeed() {
    const length = this.status.end - this.status.begin;
    if (length >= 1.5 && length <= 60) this.speed = 1;
    else {
      const wanted = length / 10;
      this.speed = SPEEDS.reduce(
        (best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best),
        1,
      );
    }
  }

  frameAt(time) {
    const { begin, last, interval, frames } = this.status;
    if (time >= last) return frames - 1;
    const number = interval > 0 ? Math.floor((time - begin) / interval + 1e-6) : 0;
    return Math.max(0, Math.min(frames - 1, number));
  }

  timeOf(number) {
    const { begin, last, interval, frames } = this.status;
    return number >= frames - 1 ? last : begin + number * interval;
  }

  get frame() {
    return this.frameAt(this.time);
  }

  seek(time) {
    this.following = false;
    this.time = Math.max(this.status.begin, Math.min(time, this.status.last));
    this.changed();
  }

  step(count) {
    this.playing = false;
    this.seek(this.timeOf(Math.max(0, this.frame + count)));
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.status.last) this.seek(this.status.begin);
    this.stamp = null;
    this.changed();
  }

  follow(on) {
    this.following = on;
    if (on) {
      this.playing = false;
      this.time = this.status.last;
    }
    this.changed();
  }

  // Goes on by the wall time since the last call, in ms.
  tick(now) {
    if (!this.playing) {
      this.stamp = null;
      return;
    }
    const passed = this.stamp === null ? 0 : Math.min(0.25, (now - this.stamp) / 1000);
    this.stamp = now;
    const { begin, last } = this.status;
    let time = this.time + passed * this.speed;
    if (time >= last) {
      if (this.loops && last > begin) time = begin + ((time - begin) % (last - begin));
      else {
        time = last;
        this.playing = false;
      }
    }
    this.time = time;
    this.changed();
  }

  // Recorded frames that pass per second.
  get rate() {
    return this.playing ? this.speed / Math.max(this.status.interval, 1e-300) : 0;
  }
}
