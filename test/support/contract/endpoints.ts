import type { Endpoint } from '../../../src/api/endpoint.ts';
import * as cell from '../../../src/api/cell.ts';
import * as column from '../../../src/api/column.ts';
import * as dataset from '../../../src/api/dataset.ts';
import * as exported from '../../../src/api/export.ts';
import * as folder from '../../../src/api/folder.ts';
import * as imports from '../../../src/api/import.ts';
import * as operation from '../../../src/api/operation.ts';
import * as requestLog from '../../../src/api/request-log.ts';
import * as row from '../../../src/api/row.ts';
import * as score from '../../../src/api/score.ts';
import * as sheet from '../../../src/api/sheet.ts';
import * as skillCollection from '../../../src/api/skill-collection.ts';
import * as table from '../../../src/api/table.ts';
import * as template from '../../../src/api/template.ts';
import * as trace from '../../../src/api/trace.ts';
import * as tracking from '../../../src/api/tracking.ts';
import * as version from '../../../src/api/version.ts';
import * as workflow from '../../../src/api/workflow.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

const declared = (module: Readonly<Record<string, unknown>>): Endpoint[] =>
  Object.values(module).filter(isEndpoint);

export const tableEndpoints: readonly Endpoint[] = [
  table,
  sheet,
  column,
  row,
  cell,
  operation,
  version,
  imports,
  exported,
  score,
].flatMap(declared);

/** Folders, prompt templates, logged requests, traces, workflows, skill collections. */
export const registryEndpoints: readonly Endpoint[] = [
  folder,
  template,
  requestLog,
  trace,
  dataset,
  tracking,
  workflow,
  skillCollection,
].flatMap(declared);

export const servedEndpoints: readonly Endpoint[] = [...tableEndpoints, ...registryEndpoints];
