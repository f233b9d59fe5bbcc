import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import { parseJson } from '../../core/http/json.ts';
import { isMapping } from '../../core/mapping.ts';
import { askModel } from '../run-panel/ask-model.ts';
import type { App } from '../shell/app.ts';
import { showInputBox, showQuickPick } from '../shell/questions.ts';
import type { Case, Plan, Scorer } from './plan.ts';
import { patternFault } from './scorers.ts';

const t = vscode.l10n.t;
const dismissed = (): CancelledError => new CancelledError('The choice was dismissed.');

async function askText(
  title: string,
  prompt: string,
  fault: (text: string) => string | undefined = () => undefined,
): Promise<string> {
  const validateInput = (text: string): string | undefined =>
    text === '' ? t('Enter a value.') : fault(text);
  const entered = await showInputBox({ title, prompt, validateInput });
  if (entered === undefined) throw dismissed();
  return entered;
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined; // what is typed is not JSON yet
  }
}

interface Way extends vscode.QuickPickItem {
  readonly take: () => Promise<Scorer>;
}

/** How answers are to be scored. Errors: CancelledError. */
export async function askScorer(
  app: App,
  { connectionId }: Plan,
  cases: readonly Case[],
): Promise<Scorer> {
  const id = randomUUID();
  const title = t('Add a scorer');
  const fields = [...new Set(cases.flatMap(({ values }) => Object.keys(values)))];
  const ways: readonly Way[] = [
    {
      label: t('Equals a value of the case…'),
      detail: t('Spaces at both ends are ignored.'),
      take: async () => {
        const items = fields.map((field) => ({ label: field }));
        const field =
          items.length === 0
            ? await askText(title, t('Name of the value'))
            : (await showQuickPick(items, { title }))?.label;
        if (field === undefined) throw dismissed();
        return { id, kind: 'equals', field };
      },
    },
    {
      label: t('Contains a text…'),
      take: async () => ({ id, kind: 'contains', text: await askText(title, t('Text')) }),
    },
    {
      label: t('Matches a regular expression…'),
      detail: t('As in Python, like in columns of sheets.'),
      take: async () => ({
        ...{ id, kind: 'regex' },
        pattern: await askText(title, t('Regular expression'), patternFault),
      }),
    },
    {
      label: t('Fits a JSON schema…'),
      take: async () => {
        const fault = (text: string): string | undefined =>
          isMapping(jsonIn(text)) ? undefined : t('Enter a JSON object.');
        return {
          id,
          kind: 'schema',
          schema: jsonIn(await askText(title, t('JSON schema'), fault)),
        };
      },
    },
    {
      label: t('LLM assertion…'),
      detail: t('A model says whether a statement holds. Each answer costs one more request.'),
      take: async () => {
        const statement = await askText(title, t('Statement, such as "The answer is polite."'));
        const model = await askModel(app, { title: t('Model that decides'), connectionId });
        return { id, kind: 'assertion', statement, model };
      },
    },
  ];
  const picked = await showQuickPick(ways, { title });
  if (picked === undefined) throw dismissed();
  return picked.take();
}
