/** Runs the same entry in VS Code itself, for machines that can download it. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  downloadAndUnzipVSCode,
  resolveCliArgsFromVSCodeExecutablePath,
  runTests,
} from '@vscode/test-electron';
import { spawnSync } from 'node:child_process';
import { reportTo, type Suites } from './run-suites.ts';

export async function runOnDesktop({ extensionDir, entry, vsix }: Suites): Promise<number> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-desktop-'));
  const report = path.join(folder, 'report.txt');
  const extensionsDir = path.join(folder, 'extensions');
  const userDataDir = path.join(folder, 'user-data');
  const workspace = path.join(folder, 'workspace');
  fs.mkdirSync(workspace);
  const folders = [`--extensions-dir=${extensionsDir}`, `--user-data-dir=${userDataDir}`];
  try {
    const vscodeExecutablePath = await downloadAndUnzipVSCode(
      process.env['VSCODE_VERSION'] ?? 'stable',
    );
    if (vsix !== undefined) {
      const [cli = '', ...args] = resolveCliArgsFromVSCodeExecutablePath(vscodeExecutablePath, {
        reuseMachineInstall: true,
      });
      const installed = spawnSync(cli, [...args, ...folders, '--install-extension', vsix], {
        stdio: 'inherit',
      });
      if (installed.status !== 0) throw new Error(`VS Code could not install ${vsix}.`);
    }
    const code = await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: extensionDir,
      extensionTestsPath: entry,
      extensionTestsEnv: reportTo(report),
      launchArgs: [workspace, ...folders, '--disable-workspace-trust'],
    });
    return code;
  } finally {
    if (fs.existsSync(report)) process.stdout.write(fs.readFileSync(report, 'utf8'));
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
