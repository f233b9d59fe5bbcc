/** Runs a test entry inside the extension host of a VS Code server and tells how it ended. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inRoot } from '../../../scripts/paths.mjs';
import type { HostName } from '../../../scripts/vscode-host.mjs';
import { workbenchUrl } from '../../../scripts/vscode-server.mjs';
import { timeLimit } from '../time-limit.ts';
import { bootHost, type TestHost } from './boot.ts';
import { keepSecrets, ownBrowser } from './browser.ts';

const timeLimitMs = timeLimit(240_000);

export interface Suites {
  /** The extension under development, or an empty one when the .vsix is tested. */
  readonly extensionDir: string;
  /** The module whose `run` is called inside the extension host. */
  readonly entry: string;
  readonly vsix?: string | undefined;
}

/** Variables that tell the suites where to leave their counts and their report. */
export function reportTo(reportFile: string): Record<string, string> {
  const counts = process.env['PROMPT_TABLES_COUNTS'];
  const grep = process.env['PROMPT_TABLES_GREP'];
  const patience = process.env['PROMPT_TABLES_TEST_PATIENCE'];
  return {
    PROMPT_TABLES_REPORTER: inRoot('test', 'support', 'counts-reporter.cjs'),
    PROMPT_TABLES_REPORT: reportFile,
    ...(counts === undefined ? {} : { PROMPT_TABLES_COUNTS: counts }),
    ...(grep === undefined ? {} : { PROMPT_TABLES_GREP: grep }),
    ...(patience === undefined ? {} : { PROMPT_TABLES_TEST_PATIENCE: patience }),
  };
}

/** An extension host that ended before its suites did is started once more; a test is not. */
export async function runOnServer(suites: Suites & { host: HostName }): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const { code, hasVerdict } = await runOnce(suites);
    if (code === 0 || hasVerdict || attempt === 2) return code;
    console.log('TRIED AGAIN: the extension host, which ended before its suites did');
  }
}

interface Ending {
  readonly code: number;
  /** Something is known to be wrong: a test failed, or something was asked of another machine. */
  readonly hasVerdict: boolean;
}

async function runOnce({
  extensionDir,
  entry,
  vsix,
  host,
}: Suites & { host: HostName }): Promise<Ending> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-report-'));
  const report = path.join(folder, 'report.txt');
  const browser = await ownBrowser();
  let server: TestHost | undefined;
  try {
    server = await bootHost({ host, vsix, driver: true, env: reportTo(report) });
    console.log(
      `VS Code ${server.vscodeVersion}, ${vsix === undefined ? 'source folder' : path.basename(vsix)}`,
    );
    const { context, outside } = browser;
    await keepSecrets(context);
    const page = await context.newPage();
    const said: string[] = [];
    await page.exposeFunction('codeAutomationLog', (kind: string, words: unknown[]) => {
      said.push(`${kind}: ${words.map(String).join(' ')}`);
    });
    const ended = new Promise<number>((resolve) => {
      void page.exposeFunction('codeAutomationExit', resolve);
      page.once('crash', () => {
        said.push('the page crashed');
        resolve(1);
      });
    });
    const remote = (file: string): string => `vscode-remote://${server?.authority ?? ''}${file}`;
    await page.goto(
      workbenchUrl(server, server.workspace, [
        ['skipWelcome', 'true'],
        ['extensionDevelopmentPath', remote(extensionDir)],
        ['extensionTestsPath', remote(entry)],
      ]),
      // As long as a machine that is busy with other things may take.
      { timeout: timeLimit(90_000) },
    );
    const code = await Promise.race([ended, overdue()]);
    const text = fs.existsSync(report) ? fs.readFileSync(report, 'utf8') : '';
    process.stdout.write(text);
    const hasFailed = text.includes('FAILED');
    if (code !== 0 && !hasFailed)
      console.log(`The extension host's last words:\n${said.slice(-30).join('\n')}`);
    if (outside.size > 0) {
      console.log(`Requests beyond this machine: ${[...outside].join(', ')}`);
      return { code: 1, hasVerdict: true };
    }
    return { code, hasVerdict: hasFailed };
  } finally {
    await browser.close();
    await server?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function overdue(): Promise<number> {
  return new Promise((resolve) => {
    setTimeout(() => {
      console.log(`FAILED: the host suites did not end within ${timeLimitMs / 1000} s.`);
      resolve(1);
    }, timeLimitMs).unref();
  });
}
