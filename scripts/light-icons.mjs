// Icons as texts with a hundredth of a pixel in their paths: drawn alike, and half as long.
import fs from 'node:fs';

/** @type {import('esbuild').Plugin} */
export const lightIcons = {
  name: 'light-icons',
  setup(build) {
    build.onLoad({ filter: /\.svg$/ }, async ({ path }) => ({
      contents: lighten(await fs.promises.readFile(path, 'utf8')),
      loader: 'text',
    }));
  },
};

/** Always with decimals: without them a number could run into the next. @param {string} svg */
function lighten(svg) {
  return svg
    .trim()
    .replace(' xmlns="http://www.w3.org/2000/svg"', '')
    .replace(/ d="[^"]*"/g, (path) =>
      path.replace(/\d*\.\d{3,}/g, (number) => Number(number).toFixed(2)),
    );
}
