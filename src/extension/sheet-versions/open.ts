import * as vscode from 'vscode';
import * as z from 'zod';
import type { SheetVersion } from '../../api/version.ts';
import { CancelledError } from '../../core/errors.ts';
import { spellDate } from '../shell/amounts.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import type { PanelDocuments } from '../panels/panel-documents.ts';
import { pickVersion, titledSheet } from '../ask/pick.ts';
import { withProgress } from '../shell/progress.ts';
import type { Reports } from '../panels/reports.ts';
import { compare } from './compare.ts';
import { reportOf } from './report.ts';
import { nameOfVersion, presentSide, versionSide } from './sides.ts';
import { showQuickPick } from '../shell/questions.ts';

const Given = z.object({ version: z.object({ id: z.string() }) });

async function otherVersion(
  app: App,
  sheet: Parameters<typeof pickVersion>[2],
  versionId: string,
): Promise<SheetVersion | undefined> {
  const { signal } = app;
  const now = { label: vscode.l10n.t('The sheet as it is now'), version: undefined };
  const list = async () => {
    const client = await app.connections.client(sheet.connectionId, { signal });
    const page = await client.tables.versions.page(refOf(sheet), { limit: 100 }, { signal });
    const others = page.items
      .filter(({ id }) => id !== versionId)
      .map((version) => ({
        label: nameOfVersion(version),
        description: spellDate(version.created_at ?? ''),
        version,
      }));
    return [now, ...others];
  };
  const title = vscode.l10n.t('Compare with');
  const picked = await showQuickPick(list(), { title, matchOnDescription: true });
  if (picked === undefined) throw new CancelledError('The question was dismissed.');
  return picked.version;
}

/** What is different between a saved version and the sheet as it is now, or another version. */
export async function compareVersions(
  app: App,
  given: unknown,
  { documents, reports }: { readonly documents: PanelDocuments; readonly reports: Reports },
): Promise<void> {
  const question = vscode.l10n.t('Compare version');
  const sheet = await titledSheet(app, given, question);
  const named = Given.safeParse(given);
  const versionId = named.success
    ? named.data.version.id
    : (await pickVersion(app, question, sheet)).id;
  const other = await otherVersion(app, sheet, versionId);
  const title = vscode.l10n.t('Comparing versions of {0}', sheet.title);
  const text = await withProgress(
    app,
    { title, where: 'notification' },
    async (signal, progress) => {
      const client = await app.connections.client(sheet.connectionId, { signal });
      const source = { client, ref: refOf(sheet), signal };
      const sides = await Promise.all([
        versionSide(source, versionId),
        other === undefined ? presentSide(source) : versionSide(source, other.id),
      ]);
      const chosen = await client.tables.versions.get(source.ref, versionId, { signal });
      // The older one first, whichever was clicked.
      const isNewer = other !== undefined && other.version_number < chosen.version_number;
      const [before, after] = isNewer ? [sides[1], sides[0]] : sides;
      const comparison = await compare(before, after, (rows) => {
        signal.throwIfAborted();
        progress.report({ message: vscode.l10n.t('{0} rows', rows) });
      });
      const columns = [...before.columns, ...after.columns];
      return reportOf(
        comparison,
        {
          ...{ sheet: sheet.title, before: before.name, after: after.name },
          titles: new Map(columns.map((column) => [column.id, column.title])),
        },
        (message, ...args) => vscode.l10n.t(message, ...args),
      );
    },
  );
  await documents.open(reports.keep(text), sheet.title, 'versions.md');
}
