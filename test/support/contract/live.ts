import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { tablesPath } from '../../../src/api/table.ts';
import { acceptedDifferences } from '../../contract/accepted-differences.ts';
import { Conversation, type Judge } from './conversation.ts';
import type { Description } from './description.ts';
import { ServiceProcess } from './service-process.ts';

/** Method and path (of tables: below the tables path), as the accepted differences name an endpoint. */
export const placeOf = ({ method, path }: Endpoint): string => {
  const below = path.startsWith(tablesPath)
    ? path.slice(tablesPath.length).replace(/^\//, '')
    : path;
  return `${method} ${below}`.trim();
};

function isAccepted(endpoint: Endpoint, part: 'status' | 'answer', what: string): boolean {
  return acceptedDifferences.some(
    (entry) =>
      entry.part === part &&
      entry.what === what &&
      (entry.where === '*' || entry.where === placeOf(endpoint)),
  );
}

const isExtra = (endpoint: Endpoint): boolean =>
  acceptedDifferences.some(
    ({ part, what, where }) =>
      part === 'endpoint' && what === 'extra' && where === placeOf(endpoint),
  );

export const judge: Judge = {
  status: (endpoint, status) => isExtra(endpoint) || isAccepted(endpoint, 'status', String(status)),
  fault: (endpoint, _status, fault) => isAccepted(endpoint, 'answer', nameOf(fault)),
};

/** `additionalProperties next_cursor`: what is wrong, without the place of one item in a list. */
function nameOf({ keyword, params, instancePath }: ErrorObject): string {
  const extra = (params as { additionalProperty?: string }).additionalProperty;
  return `${keyword} ${extra ?? instancePath.replace(/\/\d+(?=\/|$)/g, '/*')}`;
}

export interface Live {
  readonly service: ServiceProcess;
  readonly talk: Conversation;
}

/** Starts the service before the tests of a block and stops it after them. */
export function live(description: Description): () => Live {
  let running: Live | undefined;
  before(async function () {
    this.timeout(30_000);
    const service = await ServiceProcess.start();
    running = { service, talk: new Conversation(service, description, judge) };
  });
  after(async () => {
    await running?.service.stop();
  });
  return () => {
    if (running === undefined) throw new Error('The service is not running.');
    return running;
  };
}
