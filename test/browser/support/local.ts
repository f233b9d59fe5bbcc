/** The local service that a window has started, as another program meets it. */
import fs from 'node:fs';
import path from 'node:path';
import { filesBelow, textOf } from '../../../scripts/files.mjs';
import { Client, silentLogger } from '../../../src/core/index.ts';
import { runCommand, showView, statusItem, type Workbench } from '../../support/host/workbench.ts';
import { until } from '../../support/until.ts';

export interface Announced {
  readonly pid: number;
  readonly socketPath: string;
  /** Of its data. */
  readonly folder: string;
}

/** As it has announced itself below the data of the window's host; undefined before that. */
export function announced({ host }: Workbench): Announced | undefined {
  const storage = path.join(host.dataDir, 'user-data', 'User', 'globalStorage');
  const file = filesBelow(storage).find((one) => one.endsWith(path.join('local', 'service.json')));
  const text = file === undefined ? undefined : textOf(file);
  if (file === undefined || text === undefined) return undefined;
  return { ...(JSON.parse(text) as Omit<Announced, 'folder'>), folder: path.dirname(file) };
}

export const keyOf = ({ folder }: Announced): string =>
  fs.readFileSync(path.join(folder, 'key'), 'utf8').trim();

/** Has the window use the local workspace, and gives another client of it. */
export async function localWorkspace(workbench: Workbench): Promise<Client> {
  await showView(workbench);
  await runCommand(workbench, 'Prompt Tables: Use Local Workspace');
  await statusItem(workbench, 'Local workspace').waitFor();
  let service: Announced | undefined;
  await until('the local service to announce itself', () => {
    service = announced(workbench);
    return service !== undefined;
  });
  if (service === undefined) throw new Error('The local service has not announced itself.');
  const { socketPath } = service;
  return new Client({
    ...{ apiKey: keyOf(service), socketPath, logger: silentLogger },
    environment: {},
  });
}
