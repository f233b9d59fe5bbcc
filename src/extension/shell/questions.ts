/**
 * The questions of the extension stay when the focus goes elsewhere: after another question VS Code
 * gives it back to the page below, often so late that it would close the one that has just opened.
 */
import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import { plainLine, plainSentence } from './plain-text.ts';
import { plainly, showWarningMessage } from './shown.ts';

const stays = { ignoreFocusOut: true };

const line = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : plainLine(text);

/** Texts of options that are there; the types keep absent and undefined apart. */
const plainOptions = <Options extends { title?: string; placeHolder?: string; prompt?: string }>(
  options: Options,
): Options => ({
  ...options,
  ...(options.title !== undefined && { title: plainLine(options.title) }),
  ...(options.placeHolder !== undefined && { placeHolder: plainLine(options.placeHolder) }),
  ...(options.prompt !== undefined && { prompt: plainSentence(options.prompt) }),
});

/** What is shown of items, and the items of what is shown: an answer holds the texts as they are. */
class PlainItems<Item extends vscode.QuickPickItem> {
  readonly #shown = new WeakMap<Item, Item>();
  readonly #items = new WeakMap<Item, Item>();

  readonly show = (item: Item): Item => {
    const known = this.#shown.get(item);
    if (known !== undefined) return known;
    const shown = {
      ...item,
      label: plainLine(item.label),
      ...(item.description !== undefined && { description: plainLine(item.description) }),
      ...(item.detail !== undefined && { detail: plainLine(item.detail) }),
    };
    this.#shown.set(item, shown);
    this.#items.set(shown, item);
    return shown;
  };

  readonly given = (shown: Item): Item => this.#items.get(shown) ?? shown;
}

type Items<Item> = readonly Item[] | Thenable<readonly Item[]>;

export function showQuickPick<Item extends vscode.QuickPickItem>(
  items: Items<Item>,
  options: vscode.QuickPickOptions & { canPickMany: true },
  token?: vscode.CancellationToken,
): Promise<Item[] | undefined>;
export function showQuickPick<Item extends vscode.QuickPickItem>(
  items: Items<Item>,
  options?: vscode.QuickPickOptions,
  token?: vscode.CancellationToken,
): Promise<Item | undefined>;
export async function showQuickPick<Item extends vscode.QuickPickItem>(
  items: Items<Item>,
  options?: vscode.QuickPickOptions,
  token?: vscode.CancellationToken,
): Promise<Item | Item[] | undefined> {
  const plain = new PlainItems<Item>();
  const picked: Item | Item[] | undefined = await vscode.window.showQuickPick<Item>(
    'then' in items ? items.then((given) => given.map(plain.show)) : items.map(plain.show),
    { ...plainOptions(options ?? {}), ...stays },
    token,
  );
  if (picked === undefined) return undefined;
  // Of several that may be picked VS Code gives a list, which its types tell by the options.
  return Array.isArray(picked) ? (picked as Item[]).map(plain.given) : plain.given(picked);
}

type Validated = string | vscode.InputBoxValidationMessage | null | undefined;

const plainVerdict = (verdict: Validated): Validated =>
  typeof verdict === 'object' && verdict !== null
    ? { ...verdict, message: plainSentence(verdict.message) }
    : verdict && plainSentence(verdict);

export const showInputBox = (options: vscode.InputBoxOptions): Thenable<string | undefined> =>
  vscode.window.showInputBox({
    ...plainOptions(options),
    ...(options.validateInput && {
      validateInput: async (text: string) => plainVerdict(await options.validateInput?.(text)),
    }),
    ...stays,
  });

/** Its items are those that were given, with their texts as they were. */
export function createQuickPick<Item extends vscode.QuickPickItem>(): vscode.QuickPick<Item> {
  const plain = new PlainItems<Item>();
  const picker = Object.assign(vscode.window.createQuickPick<Item>(), stays);
  const shownAs = { items: plain.show, activeItems: plain.show, selectedItems: plain.show };
  const isOfItems = (key: string | symbol): key is keyof typeof shownAs => key in shownAs;
  const plainPicker = plainly<vscode.QuickPick<Item>>(picker, {
    title: line,
    placeholder: line,
    items: (items) => items.map(plain.show),
    activeItems: (items) => items.map(plain.show),
    selectedItems: (items) => items.map(plain.show),
  });
  return new Proxy(plainPicker, {
    get: (target, key) =>
      isOfItems(key) ? target[key].map(plain.given) : (Reflect.get(target, key) as unknown),
  });
}

/**
 * Shows the box until something acceptable is accepted, or `begin` says that nothing can be; throws
 * when it is dismissed. What listens goes with the answer: the box may stay for another question.
 */
export async function answerOf<Answer, Item extends vscode.QuickPickItem>(
  picker: vscode.QuickPick<Item>,
  accepted: () => Answer | undefined,
  begin: (
    end: (answer: Answer) => void,
    fail: (error: unknown) => void,
  ) => readonly vscode.Disposable[],
): Promise<Answer> {
  let listeners: readonly vscode.Disposable[] = [];
  try {
    return await new Promise<Answer>((resolve, reject) => {
      listeners = [
        picker.onDidAccept(() => {
          const answer = accepted();
          if (answer !== undefined) resolve(answer);
        }),
        picker.onDidHide(() => reject(new CancelledError('The choice was dismissed.'))),
        ...begin(resolve, reject),
      ];
      picker.show();
    });
  } finally {
    for (const listener of listeners) listener.dispose();
  }
}

/** A question with one button besides Cancel; throws when that is pressed. */
export async function confirmed(message: string, action: string, detail?: string): Promise<void> {
  const options = { modal: true, ...(detail !== undefined && { detail }) };
  const choice = await showWarningMessage(message, options, action);
  if (choice !== action) throw new CancelledError('The question was dismissed.');
}
