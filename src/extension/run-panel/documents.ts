import type * as vscode from 'vscode';
import { laidOut } from '../panels/laid-out.ts';
import { PanelDocuments } from '../panels/panel-documents.ts';
import type { Records } from '../shell/records.ts';
import type { RunRecord } from './records.ts';
import type { RunSession } from './session.ts';

export type RunDocument = 'output' | 'raw';

interface Sources {
  readonly sessionOf: (panelId: string) => Pick<RunSession, 'text' | 'raw' | 'record'> | undefined;
  readonly records: () => Promise<Records<RunRecord>>;
}

const files: Readonly<Record<RunDocument, string>> = { output: 'output.md', raw: 'raw.json' };

/** Output and raw responses as read-only documents, which an editor's tools can be used on. */
export class RunDocuments implements vscode.Disposable {
  readonly #documents: PanelDocuments;

  constructor({ sessionOf, records }: Sources) {
    this.#documents = new PanelDocuments('prompt-tables-run', async (panelId, file) => {
      const session = sessionOf(panelId);
      const kept = session?.record() ?? (await (await records()).read(panelId));
      if (kept === undefined) return undefined;
      if (file === files.raw)
        return kept.raw === null || kept.raw === undefined ? '' : laidOut(kept.raw);
      return session?.text ?? kept.parts.map(({ text }) => text).join('\n\n');
    });
  }

  open(panelId: string, promptName: string, what: RunDocument): Promise<void> {
    return this.#documents.open(panelId, promptName, files[what]);
  }

  dispose(): void {
    this.#documents.dispose();
  }
}
