// Frames that are here, and those that are on their way.

// Bytes of frames that are kept.
const KEPT_BYTES = 192 * 1024 * 1024;
// Bytes of one answer, about.
const CHUNK_BYTES = 600 * 1024;

// Frames in chunks of one stride each, the least lately used ones forgotten.
export class FrameStore {
  constructor(source, bodies) {
    this.source = source;
    this.chunks = new Map();
    this.bytes = 0;
    this.pending = new Map();
    const size = CHUNK_BYTES / (28 * bodies + 500);
    this.length = 2 ** Math.max(0, Math.min(7, Math.floor(Math.log2(size))));
    this.failure = null;
  }

  // The stride that suits a speed in frames per second.
  strideFor(rate) {
    return 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, rate / 60))));
  }

  key(number, stride) {
    const chunk = Math.floor(number / (stride * this.length));
    return { name: `${stride}:${chunk}`, first: chunk * stride * this.length };
  }

  // The frame of that number, or the one at the stride below it, if it is here.
  have(number, stride = 1) {
    const { name, first } = this.key(number, stride);
    const chunk = this.chunks.get(name);
    if (!chunk) return null;
    this.chunks.delete(name);
    this.chunks.set(name, chunk);
    return chunk.frames[Math.floor((number - first) / stride)] ?? null;
  }

  // Fetches the chunk with a frame; of a run that goes on the last one may be incomplete, and is fetched again.
  async want(number, stride = 1) {
    const here = this.have(number, stride);
    if (here) return here;
    const { name, first } = this.key(number, stride);
    if (!this.pending.has(name)) this.pending.set(name, this.load(name, first, stride));
    await this.pending.get(name);
    return this.have(number, stride);
  }

  async load(name, first, stride) {
    try {
      const frames = await this.source.frames(first, this.length, stride);
      // What is too long for one answer comes in several.
      while (frames.length > 0 && frames.length < this.length) {
        const more = await this.source.frames(first + frames.length * stride, this.length - frames.length, stride);
        if (more.length === 0) break;
        frames.push(...more);
      }
      this.failure = null;
      if (frames.length > 0) this.keep(name, frames);
    } catch (error) {
      this.failure = error;
    } finally {
      this.pending.delete(name);
    }
  }

  keep(name, frames) {
    const size = (frame) => frame.poses.byteLength + frame.contacts.byteLength;
    const bytes = frames.reduce((sum, frame) => sum + size(frame), 0);
    this.bytes += bytes - (this.chunks.get(name)?.bytes ?? 0);
    this.chunks.delete(name);
    this.chunks.set(name, { frames, bytes });
    for (const [old, chunk] of this.chunks) {
      if (this.bytes <= KEPT_BYTES || old === name) break;
      this.chunks.delete(old);
      this.bytes -= chunk.bytes;
    }
  }

  // Forgets chunks that were incomplete when they came.
  refresh() {
    for (const [name, chunk] of this.chunks) {
      if (chunk.frames.length < this.length) {
        this.chunks.delete(name);
        this.bytes -= chunk.bytes;
      }
    }
  }
}
