import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import { runStates } from '../../protocol/run.ts';
import { showInputBox, showQuickPick } from '../shell/questions.ts';
import type { RunFilter } from './filter.ts';
import { labelOf, readCosts, readTimes } from './filter.ts';
import type { RunsModel } from './model.ts';
import { stateText } from './words.ts';

interface Item extends vscode.QuickPickItem {
  /** What is added to the filter; undefined: nothing is left of it. */
  readonly ask: () => Promise<RunFilter | undefined>;
}

async function askText(options: vscode.InputBoxOptions): Promise<string> {
  const entered = await showInputBox(options);
  if (entered === undefined) throw new CancelledError('The input was dismissed.');
  return entered.trim();
}

/** Values that the runs have, each once, in the order of the alphabet. */
function valuesItems(
  title: string,
  icon: string,
  values: readonly (string | undefined)[],
  filterBy: (value: string) => RunFilter,
): readonly Item[] {
  const known = [...new Set(values)].filter((value) => value !== undefined);
  if (known.length === 0) return [];
  return [
    {
      ...{ label: title, kind: vscode.QuickPickItemKind.Separator },
      ask: () => Promise.resolve({}),
    },
    ...known.sort().map((label) => ({
      ...{ label, iconPath: new vscode.ThemeIcon(icon) },
      ask: () => Promise.resolve(filterBy(label)),
    })),
  ];
}

/** Asks what is to be shown: by text, time, cost, status, model, label, prompt or workflow. */
export async function filter(model: RunsModel): Promise<void> {
  const title = vscode.l10n.t('Filter runs');
  const all = await model.all();
  const { text: before = '', time, cost } = model.filter;
  const typed = (label: string, icon: string, ask: Item['ask']): Item => ({
    ...{ label, ask, iconPath: new vscode.ThemeIcon(icon) },
  });
  const states = runStates.filter((state) => all.some((entry) => entry.state === state));
  const items: readonly Item[] = [
    typed(vscode.l10n.t('With this text…'), 'search', async () => {
      const prompt = vscode.l10n.t('In names, variables, outputs, models and problems');
      const text = await askText({ title, prompt, value: before });
      return { text: text === '' ? undefined : text };
    }),
    typed(vscode.l10n.t('From this time…'), 'calendar', async () => {
      const prompt = vscode.l10n.t(
        'A day, a range of days, or how long ago: 2026-01-31, 2026-01-01..2026-01-31, 24h, 7d',
      );
      const fault = vscode.l10n.t("This isn't a time. {0}", prompt);
      const text = await askText({
        ...{ title, prompt, value: time?.text ?? '' },
        validateInput: (given) =>
          given.trim() === '' || readTimes(given) !== undefined ? undefined : fault,
      });
      return { time: text === '' ? undefined : readTimes(text) };
    }),
    typed(vscode.l10n.t('At this cost…'), 'credit-card', async () => {
      const prompt = vscode.l10n.t('US dollars: 0.01 and more, 0.01..0.5, or ..0.5');
      const fault = vscode.l10n.t("This isn't a range of costs. {0}", prompt);
      const text = await askText({
        ...{ title, prompt, value: cost?.text ?? '' },
        validateInput: (given) =>
          given.trim() === '' || readCosts(given) !== undefined ? undefined : fault,
      });
      return { cost: text === '' ? undefined : readCosts(text) };
    }),
    typed(vscode.l10n.t('All runs'), 'clear-all', () => Promise.resolve(undefined)),
    {
      ...{ label: vscode.l10n.t('Status'), kind: vscode.QuickPickItemKind.Separator },
      ask: () => Promise.resolve({}),
    },
    ...states.map((state) =>
      typed(stateText(state), 'circle-filled', () => Promise.resolve({ state })),
    ),
    ...valuesItems(
      vscode.l10n.t('Prompt or workflow'),
      'comment-discussion',
      all.map(({ name }) => name),
      (name) => ({ name }),
    ),
    ...valuesItems(
      vscode.l10n.t('Model'),
      'sparkle',
      all.map((entry) => entry.model),
      (name) => ({ model: name }),
    ),
    ...valuesItems(vscode.l10n.t('Label'), 'tag', all.map(labelOf), (label) => ({ label })),
  ];
  const picked = await showQuickPick(items, { title, matchOnDescription: true });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  const more = await picked.ask();
  model.filter = more === undefined ? {} : { ...model.filter, ...more };
}
