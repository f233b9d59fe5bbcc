/** Boots a VS Code server for tests, with the extension linked from this folder or installed from a .vsix. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onSignal } from '../../../scripts/child.mjs';
import { inRoot } from '../../../scripts/paths.mjs';
import { installHost, type HostName } from '../../../scripts/vscode-host.mjs';
import {
  bootServer,
  installVsix,
  linkExtension,
  type Server,
} from '../../../scripts/vscode-server.mjs';

export interface BootOptions {
  host?: HostName;
  /** The packaged extension; the source folder when absent. */
  vsix?: string | undefined;
  /** True only for mocha inside the extension host; see `runHostSuites`. */
  driver?: boolean;
  /** A folder that is kept; otherwise a fresh one that `stop` removes. */
  dataDir?: string;
  settings?: Record<string, unknown>;
  env?: Record<string, string>;
  /** Folders are not trusted: restricted mode. */
  restricted?: boolean;
  /** Folders of more extensions. */
  extensions?: readonly string[];
  /** Files that are there before the server starts, by their path below its folder. */
  files?: Readonly<Record<string, string>>;
}

export interface TestHost extends Server {
  readonly vscodeVersion: string;
  /** An empty folder to open in the workbench. */
  readonly workspace: string;
}

export async function bootHost(options: BootOptions = {}): Promise<TestHost> {
  const { host: name = 'latest', vsix, driver = false, restricted = false } = options;
  const { settings = {}, env = {}, extensions = [], files = {} } = options;
  const host = await installHost(name);
  // Short, because the local service's socket lies below it and socket paths are limited.
  const dataDir = options.dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'pt-host-'));
  const workspace = path.join(dataDir, 'workspace');
  fs.mkdirSync(workspace, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(dataDir, file)), { recursive: true });
    fs.writeFileSync(path.join(dataDir, file), text);
  }
  if (vsix) await installVsix(host, dataDir, vsix);
  else if (!driver) linkExtension(dataDir, inRoot());
  for (const folder of extensions) linkExtension(dataDir, folder);
  // Of the lane of `npm test`: the browser keeps compiled scripts by their address.
  const port = process.env['PROMPT_TABLES_TEST_PORT'];
  const server = await bootServer(host, {
    ...{ dataDir, driver, restricted, settings, env },
    ...(port !== undefined && { port: Number(port) }),
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    if (options.dataDir !== undefined) return;
    fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  };
  onSignal(stop);
  return { ...server, vscodeVersion: host.version, workspace, stop };
}
