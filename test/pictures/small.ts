import UPNG from 'upng-js';

/** Of a palette: surfaces and text of one theme need no more, and the file is half as large. */
const paletteSize = 256;

/** The bytes of a PNG picture, with a palette. */
export function small(png: Buffer, colors = paletteSize): Buffer {
  const image = UPNG.decode(new Uint8Array(png).buffer);
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(image), image.width, image.height, colors));
}
