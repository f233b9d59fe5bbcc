import { PanelDocuments } from '../panels/panel-documents.ts';
import type { Records } from '../shell/records.ts';
import type { WorkflowRecord } from './records.ts';

interface Sources {
  readonly recordOf: (panelId: string) => WorkflowRecord | undefined;
  readonly records: () => Promise<Records<WorkflowRecord>>;
  /** What a file of a panel holds. */
  readonly text: (record: WorkflowRecord, file: string) => Promise<string>;
}

/** Outputs of workflows as read-only documents, which an editor's tools can be used on. */
export const workflowDocuments = ({ recordOf, records, text }: Sources): PanelDocuments =>
  new PanelDocuments('prompt-tables-workflow', async (panelId, file) => {
    const record = recordOf(panelId) ?? (await (await records()).read(panelId));
    return record === undefined ? undefined : text(record, file);
  });
