import * as vscode from 'vscode';
import * as z from 'zod';
import { NotFoundError } from '../../core/errors.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type {
  ComparisonEvents,
  ComparisonRequests,
  ComparisonTarget,
} from '../../protocol/compare.ts';
import { verdicts } from '../../protocol/compare.ts';
import type { App } from '../shell/app.ts';
import { checkMessage } from '../panels/check-message.ts';
import { columnsOfSheet } from '../ask/column-places.ts';
import { comparePanelId } from '../contributions.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { PageLink } from '../panels/page-link.ts';
import { withProgress } from '../shell/progress.ts';
import { placeOf } from '../panels/run-problem.ts';
import { ComparedRows, sideOf } from './compared-rows.ts';
import { sheetSource } from '../grid/rows/source.ts';
import { valueUri } from '../grid/cells/values.ts';
import { Verdicts } from './verdicts.ts';
import { createWebviewPanel, openDiff } from '../shell/shown.ts';

const id = z.string().min(1).max(500);
const position = z.int().min(0);
const requests: {
  readonly [Name in keyof ComparisonRequests]: z.ZodType<ComparisonRequests[Name]['params']>;
} = {
  ready: z.null(),
  row: z.object({ position }),
  list: z.object({ page: position }),
  decide: z.object({ rowIndex: position, verdict: z.enum(verdicts).nullable() }),
  count: z.object({ leftId: id, rightId: id }),
  openDiff: z.object({ position }),
};
const check = checkMessage('The comparison', { request: requests, event: {} });

type NoMessages = Readonly<Record<string, never>>;

/** Two columns side by side, row by row, in an editor tab. */
export function openComparison(
  app: App,
  target: ComparisonTarget,
  kept?: vscode.WebviewPanel,
): void {
  const { connectionId, tableId, sheetId, leftId, rightId } = target;
  const ref = { tableId, sheetId };
  const title = vscode.l10n.t('Compare Columns');
  const panel =
    kept ??
    createWebviewPanel(comparePanelId, title, vscode.ViewColumn.Active, {
      retainContextWhenHidden: false,
    });
  panel.iconPath = new vscode.ThemeIcon('diff');
  const clientOf = (signal: AbortSignal) => app.connections.client(connectionId, { signal });
  const source = sheetSource(clientOf, ref);
  const byHand = new Verdicts(app.context.workspaceState, target);
  let rows = new ComparedRows(source, undefined);

  const rowAt = async (at: number, signal: AbortSignal) => {
    const row = await rows.row(at, signal);
    if (row !== undefined) return row;
    throw new NotFoundError(vscode.l10n.t('The sheet has no row {0}.', at + 1));
  };

  const handlers: Handlers<ComparisonRequests> = {
    ready: async (_params, signal) => {
      const client = await clientOf(signal);
      const [titles, all] = await Promise.all([
        source.titles(signal),
        columnsOfSheet(client, ref, signal),
      ]);
      const columns = all.map((column) => ({ id: column.id, title: column.title }));
      const [left, right] = [leftId, rightId].map((one) => columns.find((each) => each.id === one));
      if (left === undefined || right === undefined) {
        throw new NotFoundError(vscode.l10n.t('One of the compared columns has been deleted.'), {
          hint: vscode.l10n.t('Close this tab and compare others.'),
        });
      }
      panel.title = `${left.title} ↔ ${right.title}`;
      rows = new ComparedRows(source, titles.rowCount);
      const connection = placeOf(app, connectionId);
      return {
        ...{ sheet: titles.sheet, connection, left, right, columns, target },
        rowCount: titles.rowCount ?? 0,
        byHand: byHand.counts,
      };
    },
    row: async ({ position: at }, signal) => {
      const { cells, row_index: rowIndex } = await rowAt(at, signal);
      const [left, right] = [sideOf(cells[leftId]), sideOf(cells[rightId])];
      return { position: at, rowIndex, left, right, verdict: byHand.of(rowIndex) };
    },
    list: async ({ page }, signal) =>
      (await rows.page(page, signal)).map(({ cells, row_index: rowIndex }) => ({
        rowIndex,
        isSame: sideOf(cells[leftId]).text === sideOf(cells[rightId]).text,
        verdict: byHand.of(rowIndex),
      })),
    decide: async ({ rowIndex, verdict }) => {
      await byHand.decide(rowIndex, verdict);
      return byHand.counts;
    },
    count: ({ leftId: one, rightId: other }, signal) =>
      withProgress(
        app,
        { title: vscode.l10n.t('Counting wins'), where: 'notification' },
        (stop, progress) =>
          rows.count(one, other, AbortSignal.any([signal, stop]), (seen) =>
            progress.report({ message: vscode.l10n.t('{0} rows', seen) }),
          ),
      ),
    openDiff: async ({ position: at }, signal) => {
      const { cells } = await rowAt(at, signal);
      const [left, right] = [cells[leftId], cells[rightId]];
      if (left === undefined || right === undefined) {
        throw new NotFoundError(vscode.l10n.t('The row has no cell in one of the columns.'));
      }
      const uriOf = (cell: { readonly id: string }, name: string): vscode.Uri =>
        valueUri({ address: target, cellId: cell.id, name, language: 'plaintext' });
      const row = vscode.l10n.t('row {0}', at + 1);
      await openDiff(
        uriOf(left, `left · ${row}`),
        uriOf(right, `right · ${row}`),
        `${panel.title} · ${row}`,
      );
      return null;
    },
  };
  const own = new DisposableStore();
  const link = own.add(
    new PageLink<ComparisonRequests, NoMessages, NoMessages, ComparisonEvents>({
      ...{ app, panel, bundle: 'compare', what: 'comparison of columns' },
      ...{ handlers, listeners: {}, check },
    }),
  );
  own.add(
    app.changes.onDidChange((change) => {
      if (change.sheetId === sheetId) link.channel?.emit('changed', null);
    }),
  );
  panel.onDidDispose(() => own.dispose());
}
