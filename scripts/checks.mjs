// What can be said about the code without running it. Each check counts as one test.
import path from 'node:path';
import { run } from './child.mjs';
import { cacheDir, inModules, inRoot } from './paths.mjs';

/**
 * @param {string} runtime
 * @returns {import('./steps.mjs').Step[]}
 */
export function checks(runtime) {
  /** @type {(name: string, tool: string, ...args: string[]) => import('./steps.mjs').Step} */
  const check = (name, tool, ...args) => ({
    name: `check: ${name}`,
    work: async () => {
      const { code, output } = await run(runtime, [tool, ...args], { quiet: true });
      const failed = code === 0 ? 0 : 1;
      return { counts: { passed: 1 - failed, failed, skipped: 0 }, output: failed ? output : '' };
    },
  });
  return [
    check(
      'lint',
      inModules('oxlint/bin/oxlint'),
      '--deny-warnings',
      '--report-unused-disable-directives',
    ),
    // More checkers would each work out the same types once more.
    check('types', inModules('typescript-native/bin/tsc'), '-b', '--checkers', '1'),
    check(
      'dependency rules',
      inModules('dependency-cruiser/bin/dependency-cruise.mjs'),
      ...['--config', '.ci/dependency-rules.cjs', 'src', 'test/host'],
    ),
    check('unused code', inModules('knip/bin/knip.js'), '--no-progress'),
    check(
      'format',
      inModules('prettier/bin/prettier.cjs'),
      ...[
        '--check',
        '.',
        '--log-level',
        'warn',
        '--cache',
        '--cache-location',
        path.join(cacheDir, 'prettier.json'),
      ],
    ),
    check('package.json contributions', inRoot('esbuild.mjs'), '--contributions', '--check'),
  ];
}
