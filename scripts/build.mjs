// Builds the product with esbuild.mjs, as a function of the other scripts.
import { run } from './child.mjs';
import { Trouble } from './say.mjs';

/** @param {{production?: boolean, types?: boolean}} [options] */
export async function buildProduct({ production = false, types = true } = {}) {
  // In a process of its own: esbuild is not there yet when the scripts are loaded.
  const { code } = await run(process.execPath, [
    'esbuild.mjs',
    ...(production ? ['--production'] : []),
    ...(types ? [] : ['--without-types']),
  ]);
  if (code !== 0) throw new Trouble('The build failed; the reason is above.');
}
