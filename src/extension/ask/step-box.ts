import * as vscode from 'vscode';
import { CancelledError, ConfigurationError } from '../../core/errors.ts';
import { firstOf } from '../shell/first-of.ts';
import { answerOf, createQuickPick } from '../shell/questions.ts';

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

async function offered<Item>({ items, show, nothing }: Choice<Item>): Promise<Picked<Item>[]> {
  const found = await firstOf(items, mostItems);
  if (found.length === 0) throw new ConfigurationError(nothing);
  return found.map((item) => ({ ...show(item), item }));
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
    let isOver = false;
    try {
      const answer = await answerOf<Picked<Item> | 'back', Picked<Item>>(
        picker,
        () => picker.selectedItems[0],
        (end, fail) => {
          offered(choice).then((items) => {
            // Late for a step that was left: they are no answers to the one that is shown.
            if (isOver) return;
            picker.items = items;
            picker.busy = false;
          }, fail);
          return [picker.onDidTriggerButton(() => end('back'))];
        },
      );
      return answer === 'back' ? undefined : answer.item;
    } finally {
      isOver = true;
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
