import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import type { Drafts } from './drafts.ts';
import { noteEnded } from './ended-forms.ts';
import { showInformationMessage } from '../shell/shown.ts';
import { noteWrite } from '../shell/last-writes.ts';
import { Throttled } from '../shell/throttled.ts';

const savePauseMs = 500;

export interface TypedFormParts<Typed> {
  readonly panel: vscode.WebviewPanel;
  readonly formId: string;
  readonly drafts: Drafts<Typed>;
  /** What the form is about, whichever form it is. */
  readonly about: readonly (string | null)[];
  /** Says that the form was closed, and what it was of. */
  readonly closed: string;
  /** Opens another form of the same. */
  readonly openAgain: () => Promise<void>;
}

/** A form in a tab: what was typed is kept when the tab is closed, until it is saved or given up. */
export class TypedForm<Typed> {
  readonly #app: App;
  readonly #parts: TypedFormParts<Typed>;
  #typed: Typed | null = null;
  #hasEnded = false;
  /** From the first key on: the window, or its extensions, may go at any moment. */
  readonly #saving: Throttled<Typed>;

  constructor(app: App, parts: TypedFormParts<Typed>) {
    this.#app = app;
    this.#parts = parts;
    const { drafts, about } = parts;
    const write = (typed: Typed): void => {
      const writing = drafts.keep(about, typed);
      noteWrite(writing);
      writing.catch((error: unknown) =>
        app.errors.note(error, 'Keeping what is typed into a form'),
      );
    };
    this.#saving = new Throttled(savePauseMs, write, app.signal);
    parts.panel.onDidDispose(() => {
      this.#saving.drop();
      if (this.#hasEnded || this.#typed === null) return;
      this.#keep(this.#typed).catch((error: unknown) => {
        app.errors.show(error, { doing: 'Keeping what was typed into a form' });
      });
    });
  }

  /** Of a form of the same that was closed; null: nothing. */
  get draft(): Typed | null {
    return this.#parts.drafts.find(this.#parts.about) ?? null;
  }

  /** Null: it is to be forgotten. */
  note(typed: Typed | null): void {
    this.#typed = typed;
    if (typed !== null) {
      this.#saving.put(typed);
      return;
    }
    this.#saving.drop();
    void this.#parts.drafts.keep(this.#parts.about, null);
  }

  /** It was saved or given up. */
  async end(): Promise<void> {
    const { drafts, about, formId, panel } = this.#parts;
    this.#hasEnded = true;
    this.#saving.drop();
    await drafts.keep(about, null);
    await noteEnded(this.#app.context.workspaceState, formId);
    panel.dispose();
  }

  async #keep(typed: Typed): Promise<void> {
    const { drafts, about, closed, openAgain } = this.#parts;
    await drafts.keep(about, typed);
    const again = vscode.l10n.t('Open Again');
    if ((await showInformationMessage(closed, again)) === again) await openAgain();
  }
}
