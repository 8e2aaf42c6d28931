// How much is drawn while things move, so that a slow machine still shows motion: fewer pixels, then coarser shadows, then
// none. What stands still is drawn whole.

// Between two pictures in ms: below the first more is drawn, above the second less.
const PLEASANT = [30, 75];
// Pictures between two changes of mind.
const PATIENCE = 4;
// What was moved by hand stands still after so many ms, and is drawn with smooth edges after so many more where that takes
// the processors' time.
const REST = 220;
const SETTLE = 500;
// Between two drawings of what is beside the picture, in ms, where time is short.
const ASIDE = 250;

export class Pace {
  constructor(renderer) {
    this.renderer = renderer;
    // A processor that draws by itself begins with less.
    this.level = renderer.isSoftware ? 2 : 0;
    this.least = renderer.isSoftware ? 1 : 0;
    this.last = null;
    this.mean = 50;
    this.pictures = 0;
    this.stirred = -Infinity;
    this.changed = -Infinity;
    this.aside = -Infinity;
  }

  // Something else is seen now.
  unsettle() {
    this.changed = performance.now();
    this.renderer.settled = !this.renderer.isSoftware;
  }

  // Something is moved by hand.
  stir() {
    this.stirred = performance.now();
  }

  // Once per picture; returns whether what is seen has to be drawn anew.
  step(now, isPlaying) {
    const { renderer } = this;
    const isMoving = isPlaying || now - this.stirred < REST;
    const was = renderer.coarse;
    const changed = renderer.moving !== isMoving;
    renderer.moving = isMoving;
    if (changed) this.unsettle();
    if (!isMoving) {
      renderer.coarse = 0;
      this.last = null;
      if (!renderer.settled && !changed && now - this.changed > SETTLE) {
        renderer.settled = true;
        return true;
      }
      return changed || was !== 0;
    }
    if (this.last !== null) {
      this.mean = 0.7 * this.mean + 0.3 * (now - this.last);
      this.pictures += 1;
      if (this.pictures >= PATIENCE) this.decide();
    }
    this.last = now;
    renderer.coarse = this.level;
    return changed || was !== renderer.coarse;
  }

  // Whether what is beside the picture is to be drawn too: a slow machine does so a few times a second.
  isDue(now, isPlaying) {
    if (isPlaying && this.level > 1 && now - this.aside < ASIDE) return false;
    this.aside = now;
    return true;
  }

  decide() {
    const before = this.level;
    if (this.mean > PLEASANT[1]) this.level = Math.min(3, this.level + 1);
    else if (this.mean < PLEASANT[0]) this.level = Math.max(this.least, this.level - 1);
    // A change is judged by the pictures after it; back and forth is slower each time.
    if (before !== this.level) this.pictures = -PATIENCE * (before > this.level ? 8 : 0);
    else this.pictures = 0;
    if (before !== this.level) this.mean = 50;
  }
}
