import * as vscode from 'vscode';
import { CancelledError, ConfigurationError } from '../core/errors.ts';
import { createQuickPick } from './questions.ts';

/** More than anybody reads through: the tree's filter finds the others. */
const mostItems = 500;

export interface Choice<Item> {
  readonly items: AsyncIterable<Item>;
  readonly show: (item: Item) => vscode.QuickPickItem;
  /** What is to be chosen. */
  readonly placeholder?: string;
  /** Said when there is nothing to choose. */
  readonly nothing: string;
}

async function collected<Item>({ items, show, nothing }: Choice<Item>): Promise<Picked<Item>[]> {
  const list: Picked<Item>[] = [];
  for await (const item of items) {
    list.push({ ...show(item), item });
    if (list.length >= mostItems) break;
  }
  if (list.length === 0) throw new ConfigurationError(nothing);
  return list;
}

type Picked<Item> = vscode.QuickPickItem & { readonly item: Item };

/**
 * Questions one after another in one box, which stays until the last is answered: between two boxes
 * the focus would be in the page below, which would take the keys that are pressed meanwhile.
 */
export class StepBox {
  readonly #title: string;
  readonly #steps: number;
  readonly #picker = createQuickPick<Picked<unknown>>();

  constructor(title: string, steps = 1) {
    this.#title = title;
    this.#steps = steps;
  }

  /** The chosen item; undefined when the user goes back to the step before. */
  async ask<Item>(choice: Choice<Item>, step = 1): Promise<Item | undefined> {
    const picker = this.#picker as vscode.QuickPick<Picked<Item>>;
    picker.title = this.#title;
    if (this.#steps > 1) {
      picker.step = step;
      picker.totalSteps = this.#steps;
    }
    picker.buttons = step > 1 ? [vscode.QuickInputButtons.Back] : [];
    picker.placeholder = choice.placeholder;
    picker.matchOnDescription = true;
    picker.value = '';
    picker.items = [];
    picker.busy = true;
    const listeners: vscode.Disposable[] = [];
    let isOver = false;
    try {
      return await new Promise<Item | undefined>((resolve, reject) => {
        listeners.push(
          picker.onDidAccept(() => {
            const [chosen] = picker.selectedItems;
            if (chosen !== undefined) resolve(chosen.item);
          }),
          picker.onDidTriggerButton(() => resolve(undefined)),
          picker.onDidHide(() => reject(new CancelledError('The choice was dismissed.'))),
        );
        picker.show();
        collected(choice).then((items) => {
          // Late for a step that was left: they are no answers to the one that is shown.
          if (isOver) return;
          picker.items = items;
          picker.busy = false;
        }, reject);
      });
    } finally {
      isOver = true;
      for (const listener of listeners) listener.dispose();
    }
  }

  close(): void {
    this.#picker.dispose();
  }
}

/** One question. */
export async function askOnce<Item>(title: string, choice: Choice<Item>): Promise<Item> {
  const box = new StepBox(title);
  try {
    const item = await box.ask(choice);
    if (item === undefined) throw new CancelledError('The choice was dismissed.');
    return item;
  } finally {
    box.close();
  }
}
