import type { Route } from '../http/route.ts';
import { cellWriteRoutes } from './cell-writes.ts';
import { cellRoutes } from './cells.ts';
import { columnRoutes } from './columns.ts';
import { datasetRoutes } from './datasets.ts';
import { exportRoutes } from './exports.ts';
import { folderRoutes } from './folders.ts';
import { importRoutes } from './imports.ts';
import { operationRoutes } from './operations.ts';
import { requestLogRoutes } from './request-log.ts';
import { rowRoutes } from './rows.ts';
import { scoreRoutes } from './scores.ts';
import { scorecardRoutes } from './scorecards.ts';
import { sheetRoutes } from './sheets.ts';
import { skillCollectionRoutes } from './skill-collections.ts';
import { tableRoutes } from './tables.ts';
import { templateRoutes } from './templates.ts';
import { traceRoutes } from './traces.ts';
import { trackingRoutes } from './tracking.ts';
import { versionRoutes } from './versions.ts';
import { workflowRunRoutes } from './workflow-runs.ts';
import { workflowRoutes } from './workflows.ts';

/** In the order of matching: `sheets/operations/{id}` must come before `sheets/{sheet_id}/...`. */
export const allRoutes: readonly Route[] = [
  ...importRoutes,
  ...tableRoutes,
  ...sheetRoutes,
  ...columnRoutes,
  ...rowRoutes,
  ...cellWriteRoutes,
  ...cellRoutes,
  ...operationRoutes,
  // `versions/score-history` before `versions/{version_id}`.
  ...scoreRoutes,
  ...scorecardRoutes,
  ...versionRoutes,
  ...exportRoutes,
  ...folderRoutes,
  ...templateRoutes,
  ...requestLogRoutes,
  ...trackingRoutes,
  ...traceRoutes,
  ...datasetRoutes,
  ...skillCollectionRoutes,
  ...workflowRoutes,
  ...workflowRunRoutes,
];
