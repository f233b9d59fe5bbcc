import * as vscode from 'vscode';
import { answerOf, createQuickPick } from '../shell/questions.ts';

/** The service takes ten questions a minute. */
const typingPauseMs = 600;
/** A list that is shorter is whole: typing needs no other. */
const fullList = 40;

const t = vscode.l10n.t;

interface ValueOptions {
  readonly title: string;
  readonly placeholder: string;
  readonly before: string;
  /** Why a text is no value; undefined: it is one. */
  readonly fault: (text: string) => string | undefined;
  /** Values that there are; undefined: nobody knows any. */
  readonly suggest: ((prefix: string) => Promise<readonly string[]>) | undefined;
  readonly note: (error: unknown) => void;
}

/** A value that is typed, or one of those that there are. */
export async function askValue(options: ValueOptions): Promise<string> {
  const { title, placeholder, before, fault, suggest, note } = options;
  const picker = createQuickPick();
  picker.title = title;
  picker.placeholder = placeholder;
  picker.value = before;
  let known: readonly string[] = [];
  let isWhole = false;
  let timer: NodeJS.Timeout | undefined;
  let asked = 0;
  // VS Code names the chosen item by its place, in a list that may be older than the one here: what
  // is typed has the first place, and a value keeps its own, whatever is typed. VS Code filters.
  const nothing = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const show = (): void => {
    const typed = picker.value.trim();
    const wrong = typed === '' ? undefined : fault(typed);
    const own = {
      label: typed,
      alwaysShow: true,
      description: wrong ?? t('as typed'),
      iconPath: new vscode.ThemeIcon(wrong === undefined ? 'edit' : 'warning'),
    };
    picker.items = [typed === '' ? nothing : own, ...known.map((label) => ({ label }))];
    // Enter takes what was typed.
    if (typed !== '') picker.activeItems = picker.items.slice(0, 1);
  };
  const look = async (): Promise<void> => {
    if (suggest === undefined || isWhole) return;
    const own = (asked += 1);
    picker.busy = true;
    try {
      const prefix = picker.value.trim();
      const values = await suggest(prefix);
      if (own !== asked) return;
      known = [...new Set([...known, ...values])];
      isWhole = prefix === '' && values.length < fullList;
      show();
    } catch (error) {
      // Suggestions are a help: what is typed is taken without them.
      note(error);
    } finally {
      if (own === asked) picker.busy = false;
    }
  };
  try {
    return await answerOf(
      picker,
      () => {
        const text = picker.selectedItems[0]?.label ?? picker.value.trim();
        return text !== '' && fault(text) === undefined ? text : undefined;
      },
      () => {
        show();
        void look();
        return [
          picker.onDidChangeValue(() => {
            show();
            clearTimeout(timer);
            timer = setTimeout(() => void look(), typingPauseMs);
          }),
        ];
      },
    );
  } finally {
    clearTimeout(timer);
    picker.dispose();
  }
}
