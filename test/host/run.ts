/**
 * Runs the host suites inside a real VS Code.
 *   node test/host/run.ts [--host latest|min] [--vsix FILE] [--grep WORDS] [SUITE.test.ts ...]
 * With VSCODE_HOST=desktop in VS Code itself, which @vscode/test-electron downloads.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { inRoot } from '../../scripts/paths.mjs';
import type { HostName } from '../../scripts/vscode-host.mjs';
import { runOnServer } from '../support/host/run-suites.ts';
import { buildHostSuites } from './build.ts';

const { values, positionals } = parseArgs({
  options: {
    host: { type: 'string', default: 'latest' },
    vsix: { type: 'string' },
    grep: { type: 'string' },
  },
  allowPositionals: true,
});
if (values.grep !== undefined) process.env['PROMPT_TABLES_GREP'] = values.grep;
const vsix = values.vsix === undefined ? undefined : path.resolve(values.vsix);
const extensionDir =
  vsix === undefined ? inRoot() : inRoot('test', 'support', 'host', 'empty-extension');
const isDesktop = process.env['VSCODE_HOST'] === 'desktop';
const name = `${isDesktop ? 'desktop' : values.host}-${vsix === undefined ? 'source' : 'packaged'}`;
const suites = { extensionDir, entry: await buildHostSuites(name, positionals), vsix };

if (isDesktop) {
  const { runOnDesktop } = await import('../support/host/run-desktop.ts');
  process.exitCode = await runOnDesktop(suites);
} else {
  process.exitCode = await runOnServer({ ...suites, host: values.host as HostName });
}
