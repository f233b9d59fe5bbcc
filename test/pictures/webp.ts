import type { Browser } from 'playwright-core';

/**
 * A PNG picture as lossless WebP, by the browser's own encoder: two thirds of the size. Only for what
 * VS Code shows; a Marketplace page and GitHub take PNG.
 */
export async function webp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  try {
    const address = await page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      // Of the highest quality: the encoder loses nothing.
      return canvas.toDataURL('image/webp', 1);
    }, png.toString('base64'));
    const [type, data] = address.split(',');
    if (type !== 'data:image/webp;base64' || data === undefined)
      throw new Error(`The browser wrote ${String(type)}, not WebP.`);
    return Buffer.from(data, 'base64');
  } finally {
    await page.close();
  }
}
