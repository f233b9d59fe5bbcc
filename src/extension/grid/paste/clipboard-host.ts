import * as vscode from 'vscode';
import type { App } from '../../shell/app.ts';
import type { PasteForm } from '../../../protocol/grid-work.ts';
import { blockWidth } from '../../../protocol/grid-work.ts';
import { showQuickPick } from '../../shell/questions.ts';
import type { EditorHost } from '../editor-host.ts';
import { copyText } from '../../copy-text.ts';
import { readCopied } from './copied.ts';
import type { Form } from './forms.ts';

const sampleCells = 8;
const sampleLength = 120;

const labelOf = (form: PasteForm): string =>
  ({
    cell: vscode.l10n.t('One Cell'),
    lines: vscode.l10n.t('Lines, One Cell Each'),
    tsv: vscode.l10n.t('Tab-Separated Values'),
    csv: vscode.l10n.t('Comma-Separated Values'),
    json: vscode.l10n.t('JSON Rows'),
    table: vscode.l10n.t('Table on the Page'),
  })[form];

function sizeOf({ block }: Form): string {
  const [rows, columns] = [block.length, blockWidth(block)];
  const inRows = rows === 1 ? vscode.l10n.t('1 row') : vscode.l10n.t('{0} rows', rows);
  const inColumns =
    columns === 1 ? vscode.l10n.t('1 column') : vscode.l10n.t('{0} columns', columns);
  return `${inRows} × ${inColumns}`;
}

/** How it begins: the cells of the first row. */
const sampleOf = ({ block: [first = []] }: Form): string =>
  first
    .slice(0, sampleCells)
    .map((cell) => (cell ?? 'null').slice(0, sampleLength))
    .join(' │ ')
    .slice(0, sampleLength);

async function askPasteForm(forms: readonly Form[]): Promise<PasteForm | undefined> {
  const items = forms.map((form) => ({
    label: labelOf(form.form),
    description: sizeOf(form),
    detail: sampleOf(form),
    form: form.form,
  }));
  const title = vscode.l10n.t('Paste As…');
  const placeHolder = vscode.l10n.t('How to read the text on the clipboard');
  return (await showQuickPick(items, { title, placeHolder }))?.form;
}

type ClipboardHost = Pick<
  EditorHost,
  'writeClipboard' | 'readClipboard' | 'copiedCells' | 'askPasteForm'
>;

/** The clipboard of VS Code, and what was put there last. */
export function clipboardHost(app: App): ClipboardHost {
  return {
    writeClipboard: (text, copied) => copyText(app, text, copied),
    async readClipboard() {
      return vscode.env.clipboard.readText();
    },
    copiedCells: (text) => readCopied(app.context.globalState, text),
    askPasteForm,
  };
}
