// What is drawn into: the map of shadows, and a picture with several samples per pixel.

const SHADOW_TEXELS = { fine: 2048, coarse: 1024 };

// A depth map seen from the light.
export class ShadowMap {
  constructor(gl) {
    this.gl = gl;
    this.maps = {};
  }

  map(quality) {
    if (this.maps[quality]) return this.maps[quality];
    const gl = this.gl;
    const size = SHADOW_TEXELS[quality];
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
    for (const [key, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR],
      [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE],
      [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL],
    ])
      gl.texParameteri(gl.TEXTURE_2D, key, value);
    const buffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.drawBuffers([gl.NONE]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    this.maps[quality] = { texture, buffer, size };
    return this.maps[quality];
  }

  // Makes the map the one that is drawn into.
  begin(quality) {
    const gl = this.gl;
    const { buffer, size } = this.map(quality);
    gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
    gl.viewport(0, 0, size, size);
    gl.clear(gl.DEPTH_BUFFER_BIT);
  }
}

// A picture with four samples per pixel, for pictures that stand still.
export class SmoothTarget {
  constructor(gl) {
    this.gl = gl;
    this.samples = Math.min(4, gl.getParameter(gl.MAX_SAMPLES));
    this.size = "";
  }

  begin(width, height) {
    const gl = this.gl;
    this.buffer ??= gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.buffer);
    if (this.size === `${width} ${height}`) return;
    this.size = `${width} ${height}`;
    this.colour ??= gl.createRenderbuffer();
    this.depth ??= gl.createRenderbuffer();
    for (const [buffer, format, place] of [
      [this.colour, gl.RGBA8, gl.COLOR_ATTACHMENT0],
      [this.depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT],
    ]) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, this.samples, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
    }
  }

  // The mean of the samples becomes the picture of the canvas.
  end(width, height) {
    const gl = this.gl;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.buffer);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }
}

// One pixel of a picture of identities.
export class PickTarget {
  constructor(gl) {
    this.gl = gl;
  }

  // The number that `draw` leaves at a pixel: three bytes, the lowest first.
  read(i, j, width, height, draw) {
    const { gl } = this;
    const target = gl.createFramebuffer();
    const [colour, depth] = [gl.createRenderbuffer(), gl.createRenderbuffer()];
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    for (const [buffer, format, place] of [
      [colour, gl.RGBA8, gl.COLOR_ATTACHMENT0],
      [depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT],
    ]) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
    }
    gl.viewport(0, 0, width, height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(i, j, 1, 1);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    draw();
    const pixel = new Uint8Array(4);
    gl.readPixels(i, j, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(target);
    gl.deleteRenderbuffer(colour);
    gl.deleteRenderbuffer(depth);
    return pixel[0] + 256 * pixel[1] + 65536 * pixel[2];
  }
}

// Whether the machine draws by its processors alone, by what it calls its graphics card.
export function isSoftware(gl) {
  const told = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
