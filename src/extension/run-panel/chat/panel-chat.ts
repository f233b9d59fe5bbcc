import path from 'node:path';
import * as vscode from 'vscode';
import type { Client, Conversation } from '../../../core/index.ts';
import { CancelledError, describeError, ValidationError } from '../../../core/errors.ts';
import type { ChatDraft, ChatView } from '../../../protocol/chat.ts';
import type { RunVariable, ViewEvents } from '../../../protocol/run.ts';
import { addRows } from '../../ask/add-rows.ts';
import { keepRun } from '../../kept-runs/keep-run.ts';
import { LiveRun } from '../../kept-runs/live-run.ts';
import type { EndedRun } from '../../kept-runs/run-history.ts';
import { problemOf } from '../../panels/run-problem.ts';
import type { App } from '../../shell/app.ts';
import { runCommand } from '../../shell/commands.ts';
import { confirmed, showQuickPick } from '../../shell/questions.ts';
import type { Records } from '../../shell/records.ts';
import { Throttled } from '../../shell/throttled.ts';
import { endedPrompt } from '../ended.ts';
import type { MediaFiles } from '../media.ts';
import type { PanelPrompt } from '../panel-prompt.ts';
import type { RunRecord } from '../records.ts';
import { runOptionsOf } from '../run-options.ts';
import { RunSession } from '../session.ts';
import type { checkAnswer } from '../answer-schema.ts';
import { Answerers } from './answerers.ts';
import type { ChatBeginning, ChatRecord } from './chat-record.ts';
import { openChatRecords } from './chat-record.ts';
import type { ChatParts } from './chat-session.ts';
import { ChatSession } from './chat-session.ts';
import { testCaseOf, turnRowsOf } from './saved-fields.ts';
import { misfitOf, toolsOf } from './tool-schema.ts';

export interface PanelChatParts {
  readonly app: App;
  readonly prompt: PanelPrompt;
  readonly media: MediaFiles;
  /** Adds messages to the prompt that a document holds; undefined: the one in front. */
  readonly appendMessages: (
    uri: string | undefined,
    promptName: string,
    messages: readonly unknown[],
  ) => Promise<void>;
  readonly emit: <Name extends keyof ViewEvents>(name: Name, payload: ViewEvents[Name]) => void;
  /** Something began to run, or has ended. */
  readonly onState: () => void;
}

/** How often a conversation is written down at most. */
const keepMs = 1000;

/** The conversation of a run panel. */
export class PanelChat implements vscode.Disposable {
  readonly #parts: PanelChatParts;
  readonly #records: Records<ChatRecord>;
  readonly #keeping: Throttled<ChatRecord | undefined>;
  readonly #answerers: Answerers;
  #session: ChatSession;
  #client: Client | undefined;
  #conversation: Conversation | undefined;
  readonly #restored: Promise<void>;
  /** Nothing is written down any more. */
  #isForgotten = false;
  /** Loaded before there can be a call to check. */
  #check: typeof checkAnswer | undefined;

  constructor(parts: PanelChatParts) {
    const { app, prompt } = parts;
    this.#parts = parts;
    this.#records = openChatRecords(path.join(app.context.globalStorageUri.fsPath, 'chats'));
    const { panelId } = prompt.page;
    const failed = (error: unknown): void => app.errors.note(error, 'Keeping a conversation');
    this.#keeping = new Throttled(
      keepMs,
      (record) => {
        const kept =
          record === undefined
            ? this.#records.remove(panelId)
            : this.#records.write(panelId, record);
        kept.catch(failed);
      },
      app.signal,
    );
    this.#answerers = new Answerers(app, prompt);
    this.#session = this.#newSession(undefined);
    this.#restored = this.#restore(panelId);
  }

  /** The tab is closed or the window goes: what waits is written, and what runs is ended. */
  dispose(): void {
    this.#keeping.flush();
    this.#session.dispose();
    this.#answerers.forget();
  }

  /** The tab was closed by hand: nobody comes back for it. */
  async forget(): Promise<void> {
    this.#isForgotten = true;
    this.#keeping.drop();
    this.#session.stop();
    this.#session.dispose();
    await this.#records.remove(this.#parts.prompt.page.panelId);
  }

  get isRunning(): boolean {
    return this.#session.isRunning;
  }

  get session(): ChatSession {
    return this.#session;
  }

  async shown(): Promise<ChatView> {
    await this.#restored;
    return this.#session.view();
  }

  keepDraft(draft: ChatDraft): void {
    this.#session.keepDraft(draft);
  }

  async say(
    text: string,
    edits: number | null,
    form: { readonly variables: readonly RunVariable[]; readonly usesCache: boolean },
  ): Promise<void> {
    const { prompt } = this.#parts;
    const { page } = prompt;
    const isNew = this.#session.beginning === undefined;
    const blueprint = isNew ? await prompt.blueprintOf(page) : undefined;
    this.#session.say(text, edits, () => ({
      ...{ page, variables: form.variables, usesCache: form.usesCache },
      ...(blueprint !== undefined && { blueprint }),
    }));
  }

  /** The result of a call, checked against what the tool says that it answers. */
  async answer(turn: number, call: string, text: string): Promise<void> {
    const name = this.#session.callOf(turn, call)?.name ?? '';
    await this.#answerers.checkResult(this.#session.state, name, text);
    this.#session.answerByHand(turn, call, text);
  }

  async answerWith(turn: number, id: string): Promise<void> {
    const call = this.#session.callOf(turn, id);
    if (call === undefined) return;
    const { source, isAlways } = await this.#answerers.choose(call, this.#session.state);
    await this.#session.answerWith(turn, id, source, isAlways);
  }

  async startAnew(): Promise<void> {
    if (this.#session.isEmpty) return;
    await confirmed(
      vscode.l10n.t('Start a new conversation?'),
      vscode.l10n.t('New Conversation'),
      vscode.l10n.t('The conversation is removed from this panel. Its requests stay in the log.'),
    );
    this.#session.stop();
    this.#session.dispose();
    this.#conversation = undefined;
    this.#answerers.forget();
    this.#session = this.#newSession(undefined);
    this.#keeping.put(undefined);
    this.#parts.emit('chat', this.#session.view());
    this.#parts.onState();
  }

  async chooseStops(): Promise<void> {
    const { prompt } = this.#session.state ?? {};
    const tools = prompt === undefined || prompt === null ? [] : toolsOf(prompt);
    if (tools.length === 0) {
      throw new ValidationError(vscode.l10n.t('The prompt has no tools, or has not run yet.'));
    }
    const { stopsBefore } = this.#session.view();
    const items = tools.map(({ name: label }) => ({ label, picked: stopsBefore.includes(label) }));
    const title = vscode.l10n.t('Stop before');
    const placeHolder = vscode.l10n.t('Tools that you always answer yourself');
    const chosen = await showQuickPick(items, { title, placeHolder, canPickMany: true });
    if (chosen !== undefined) this.#session.setStopsBefore(chosen.map(({ label }) => label));
  }

  /** Rows of a sheet: the conversation as a test case, or its turns. */
  async save(): Promise<void> {
    const { app, prompt } = this.#parts;
    const { promptName: name } = prompt.page;
    const { said: turns, messages, beginning } = this.#session;
    if (messages.length === 0) {
      throw new ValidationError(vscode.l10n.t('There is nothing to save yet.'));
    }
    const chat = { turns, messages, variables: beginning?.variables ?? [] };
    const title = vscode.l10n.t('Save conversation as');
    const items = [
      {
        label: vscode.l10n.t('Test case'),
        detail: vscode.l10n.t(
          'One row: variables, conversation, expected tools, and what the tools answered',
        ),
        rows: () => ({ fields: testCaseOf(chat) }),
      },
      {
        label: vscode.l10n.t('Rows of a sheet'),
        detail: vscode.l10n.t('One row for each turn'),
        rows: () => turnRowsOf(chat),
      },
      {
        label: vscode.l10n.t('Messages of the draft'),
        detail: vscode.l10n.t('Added to the end of the prompt in its document'),
      },
    ];
    const picked = await showQuickPick(items, { title });
    if (picked === undefined) throw new CancelledError('The choice was dismissed.');
    if (picked.rows === undefined) {
      await this.#append();
      return;
    }
    await addRows(app, {
      ...{ title, ...picked.rows() },
      done: (sheet) => vscode.l10n.t('The conversation with {0} was added to {1}.', name, sheet),
    });
  }

  /** Adds what was said to the document that runs, or to a draft of the prompt. */
  async #append(): Promise<void> {
    const { prompt, appendMessages } = this.#parts;
    const { connectionId, promptName, unpublished } = prompt.page;
    const messages = this.#session.saidMessages;
    if (unpublished?.kind === 'document') {
      await appendMessages(unpublished.uri, promptName, messages);
      return;
    }
    await runCommand('promptTables.editPrompt', { connectionId, promptName });
    await appendMessages(undefined, promptName, messages);
  }

  async #restore(panelId: string): Promise<void> {
    const { app } = this.#parts;
    try {
      const record = await this.#records.read(panelId);
      if (record === undefined) return;
      await this.#loadCheck();
      if (!this.#session.isEmpty) return;
      this.#session.dispose();
      this.#session = this.#newSession(record);
    } catch (error) {
      app.errors.note(error, 'Reading a conversation');
    }
    this.#records.prune().catch((error: unknown) => {
      app.errors.note(error, 'Removing old conversations');
    });
  }

  #newSession(record: ChatRecord | undefined): ChatSession {
    const { app, emit, onState } = this.#parts;
    // One that was replaced may come to rest later: nothing of it counts any more.
    const isCurrent = (): boolean => !this.#isForgotten && this.#session === session;
    const session: ChatSession = new ChatSession(
      {
        emit: (name, payload) => {
          if (isCurrent()) emit(name, payload);
        },
        open: (beginning, state, signal) => this.#open(beginning, state, signal),
        makeSession: (parts, beginning) => this.#makeSession(parts, beginning),
        misfitOf: (call, state) => this.#check && misfitOf(call, state, vscode.l10n.t, this.#check),
        answer: (call, source, signal) =>
          this.#answerers.answer(call, source, this.#session.state, signal),
        goOn: async (turns) => {
          const text = vscode.l10n.t(
            'Tools have answered {0} turns in a row. Continue without asking?',
            turns,
          );
          await confirmed(text, vscode.l10n.t('Continue'));
          return true;
        },
        settled: onState,
        save: (kept, isTurn) => {
          if (!isCurrent()) return;
          this.#keeping.put(kept);
          if (isTurn) this.#keeping.flush();
        },
        note: (error) => app.errors.note(error, 'Answering a call of a tool'),
        messageOf: (error) => describeError(error),
        t: vscode.l10n.t,
      } satisfies ChatParts,
      record,
    );
    return session;
  }

  async #loadCheck(): Promise<void> {
    this.#check ??= (await import('../answer-schema.ts')).checkAnswer;
  }

  async #open(
    beginning: ChatBeginning,
    state: Parameters<ChatParts['open']>[1],
    signal: AbortSignal,
  ): Promise<Conversation> {
    const { app } = this.#parts;
    const { page, variables, usesCache, blueprint } = beginning;
    await this.#loadCheck();
    const client = await app.connections.client(page.connectionId, { signal });
    if (this.#conversation !== undefined && client === this.#client) return this.#conversation;
    const form = { page, variables, usesCache, blueprint };
    const options = await runOptionsOf(this.#parts, form);
    this.#client = client;
    this.#conversation = client.conversation(options, state);
    return this.#conversation;
  }

  #makeSession(
    { start, emit, save, ended }: Parameters<ChatParts['makeSession']>[0],
    beginning: ChatBeginning,
  ): RunSession {
    const { app, prompt, onState } = this.#parts;
    const { page, blueprint } = beginning;
    let live = new LiveRun(app);
    const entryOf = (variables: readonly RunVariable[], kept: RunRecord): EndedRun => ({
      ...endedPrompt(app, page, prompt.presentation, variables, kept, blueprint),
      id: live.id,
    });
    const session = new RunSession({
      ...{ start, emit, save, onState },
      problemOf: (error) => problemOf(app, error),
      endingOf: app.endingOf,
      note: (error) => app.errors.note(error, `Running ${page.promptName}`),
      isLeaving: () => app.signal.aborted,
      onProgress: (variables, kept) => live.update(entryOf(variables, kept)),
      onEnd: (variables, kept) => {
        ended();
        const { runId } = kept.status;
        const entry = entryOf(variables, kept);
        const over = live;
        live = new LiveRun(app);
        void over.end().then(() => {
          void keepRun(app, entry, (price) => session.setPrice(runId, price));
        });
      },
    });
    return session;
  }
}
