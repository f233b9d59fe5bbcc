/** The local service that a window has started, as another program meets it. */
import fs from 'node:fs';
import path from 'node:path';
import { Client, silentLogger } from '../../../src/core/index.ts';
import { runCommand, showView, statusItem, type Workbench } from '../../support/host/workbench.ts';
import { until } from './prompt-hands.ts';

export interface Announced {
  readonly pid: number;
  readonly socketPath: string;
  /** Of its data. */
  readonly folder: string;
}

/** As it has announced itself below the data of the window's host; undefined before that. */
export function announced({ host }: Workbench): Announced | undefined {
  const storage = path.join(host.dataDir, 'user-data', 'User', 'globalStorage');
  if (!fs.existsSync(storage)) return undefined;
  const found = fs
    .readdirSync(storage, { recursive: true, encoding: 'utf8' })
    .find((file) => file.endsWith(path.join('local', 'service.json')));
  if (found === undefined) return undefined;
  const file = path.join(storage, found);
  const said = JSON.parse(fs.readFileSync(file, 'utf8')) as Omit<Announced, 'folder'>;
  return { ...said, folder: path.dirname(file) };
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
