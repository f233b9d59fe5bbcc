import type {
  Conversation,
  ConversationState,
  RunChunk,
  TurnInput,
  TurnToolCall,
} from '../../../core/index.ts';
import { messagesFor, pathTo, toolCallsOf } from '../../../core/run/conversation/turns.ts';
import { CancelledError, isCancellation, ValidationError } from '../../../core/errors.ts';
import type {
  ChatCall,
  ChatDraft,
  ChatResult,
  ChatTurn,
  ChatView,
  ToolSource,
} from '../../../protocol/chat.ts';
import { longestResult } from '../../../protocol/chat.ts';
import type { ViewEvents } from '../../../protocol/run.ts';
import type { Translate } from '../../shell/translate.ts';
import type { RunSession, SessionParts } from '../session.ts';
import type { ChatBeginning, ChatRecord, KeptInput } from './chat-record.ts';

type ChatEvents = 'chat' | 'chatTurn' | 'chatHead' | 'chatProgress';

/** A call as those who answer it see it. */
export interface AskedCall extends TurnToolCall {
  readonly misfit: string | undefined;
}

export interface ChatParts {
  /** A conversation of the client that there is now. */
  readonly open: (
    beginning: ChatBeginning,
    state: ConversationState | undefined,
    signal: AbortSignal,
  ) => Promise<Conversation>;
  /** A session that runs one turn. */
  readonly makeSession: (
    parts: Pick<SessionParts, 'start' | 'emit' | 'save'> & { readonly ended: () => void },
    beginning: ChatBeginning,
  ) => RunSession;
  readonly emit: <Name extends ChatEvents>(name: Name, payload: ViewEvents[Name]) => void;
  /** Where the arguments of a call don't fit the schema of its tool. */
  readonly misfitOf: (call: TurnToolCall, state: ConversationState) => string | undefined;
  /** Has somebody answer a call who is not the person. */
  readonly answer: (
    call: AskedCall,
    source: Exclude<ToolSource, 'hand'>,
    signal: AbortSignal,
  ) => Promise<string>;
  /** Whether the tools go on after so many turns in a row without a word of the person. */
  readonly goOn: (turns: number) => Promise<boolean>;
  /** A turn is over, and has come to rest. */
  readonly settled: () => void;
  /** What is kept has changed; `isTurn`: a turn has begun or ended, which can't wait. */
  readonly save: (record: ChatRecord, isTurn: boolean) => void;
  readonly note: (error: unknown) => void;
  readonly messageOf: (error: unknown) => string;
  readonly t: Translate;
}

/** Turns in a row that tools have answered, after which the person is asked. */
export const mostToolTurns = 25;

interface Turn {
  readonly id: number;
  readonly parent: number | null;
  readonly input: KeptInput;
  readonly session: RunSession;
  /** Its number in the conversation; null: it never came so far. */
  core: number | null;
  /** By the id of the call. */
  readonly results: Map<string, ChatResult>;
  readonly drafts: Map<string, string>;
  readonly asked: Set<string>;
  readonly problems: Map<string, string>;
  /** What was found wrong with arguments, so that it is looked for once. */
  readonly misfits: Map<string, string | undefined>;
  /** Its stream has not come to rest yet, though it may have been stopped. */
  resting: Promise<void> | undefined;
}

async function* readThen(
  chunks: AsyncIterable<RunChunk>,
  then: () => void,
): AsyncGenerator<RunChunk, void, undefined> {
  try {
    yield* chunks;
  } finally {
    then();
  }
}

const nothing: ChatDraft = { text: '', edits: null };

/** A conversation over the prompt of a panel. Knows neither VS Code nor the page. */
export class ChatSession {
  readonly #parts: ChatParts;
  #beginning: ChatBeginning | undefined;
  #conversation: Conversation | undefined;
  /** As it stood after the last turn. */
  #state: ConversationState | undefined;
  readonly #turns: Turn[] = [];
  #head: number | null = null;
  #draft = nothing;
  #stopsBefore: readonly string[] = [];
  /** Tools that are answered without a question, in this conversation and window only. */
  readonly #always = new Map<string, Exclude<ToolSource, 'hand'>>();
  #toolTurns = 0;
  #asking = new AbortController();

  constructor(parts: ChatParts, record?: ChatRecord) {
    this.#parts = parts;
    if (record !== undefined) this.#restore(record);
  }

  get isRunning(): boolean {
    return this.#turns.some(
      ({ session, asked, resting }) => session.isRunning || asked.size > 0 || resting !== undefined,
    );
  }

  get isEmpty(): boolean {
    return this.#turns.length === 0;
  }

  get beginning(): ChatBeginning | undefined {
    return this.#beginning;
  }

  get state(): ConversationState | undefined {
    return this.#state;
  }

  view(): ChatView {
    return {
      turns: this.#turns.map((turn) => this.#shown(turn)),
      ...{ head: this.#head, draft: this.#draft, stopsBefore: this.#stopsBefore },
    };
  }

  image(id: string): string | undefined {
    for (const { session } of this.#turns.toReversed()) {
      const found = session.image(id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A call of the turn that is gone on from. */
  callOf(id: number, call: string): AskedCall | undefined {
    const turn = this.#turn(id);
    const found = turn && this.#callsOf(turn).find((one) => one.id === call);
    return turn && found && { ...found, misfit: this.#misfit(turn, found) };
  }

  /** What is said, as the model is given it: the messages of the prompt, and those of the turns. */
  get messages(): readonly unknown[] {
    const own = this.#state?.prompt?.prompt_template['messages'];
    return [...(Array.isArray(own) ? (own as readonly unknown[]) : []), ...this.saidMessages];
  }

  /** The same without those of the prompt. */
  get saidMessages(): readonly unknown[] {
    const state = this.#state;
    const turn = this.#path().findLast(({ core }) => core !== null);
    if (state === undefined || turn === undefined) return [];
    const path = pathTo(state.turns, turn.core);
    return messagesFor([], path, {});
  }

  /** The turns that are said, from the first one on. */
  get said(): readonly ChatTurn[] {
    return this.#path().map((turn) => this.#shown(turn));
  }

  keepDraft(draft: ChatDraft): void {
    this.#draft = draft;
    this.#save();
  }

  keepResultDraft(id: number, call: string, text: string): void {
    this.#turn(id)?.drafts.set(call, text);
    this.#save();
  }

  setStopsBefore(names: readonly string[]): void {
    this.#stopsBefore = names;
    this.#parts.emit('chat', this.view());
    this.#save();
  }

  /** Says something: after the last turn, or in the place of what turn `edits` has said. */
  say(text: string, edits: number | null, beginning: () => ChatBeginning): void {
    this.#demandQuiet();
    const edited = this.#turn(edits);
    const parent = edited === undefined ? this.#head : edited.parent;
    const input = text.trim() === '' ? {} : { text };
    if (parent !== null && input.text === undefined) throw this.#refusal();
    this.#beginning ??= beginning();
    this.#draft = nothing;
    this.#toolTurns = 0;
    this.#begin(parent, input);
  }

  /** The same once more, such as after a failure: what came of it before is kept. */
  again(id: number): void {
    this.#demandQuiet();
    const turn = this.#turn(id);
    if (turn !== undefined) this.#begin(turn.parent, turn.input);
  }

  /** Goes back to a turn, or to one that was superseded. */
  goTo(id: number): void {
    this.#demandQuiet();
    const turn = this.#turn(id);
    if (turn === undefined) return;
    this.#reopen(turn);
    const after = this.#turns.findLast(({ parent }) => parent === id);
    if (after !== undefined && 'results' in after.input) {
      for (const { callId, text } of after.input.results) turn.drafts.set(callId, text);
    }
    this.#head = id;
    this.#tell(turn);
    this.#parts.emit('chatHead', { head: id });
    this.#save();
  }

  /** A result that the person has written. */
  answerByHand(id: number, call: string, text: string): void {
    this.#toolTurns = 0;
    this.#take(id, call, text, 'hand');
  }

  /** Has somebody else answer. `isAlways`: from now on without a question. */
  async answerWith(
    id: number,
    call: string,
    source: Exclude<ToolSource, 'hand'>,
    isAlways: boolean,
  ): Promise<void> {
    const turn = this.#turn(id);
    const asked = this.callOf(id, call);
    if (turn === undefined || asked === undefined || turn.asked.has(call)) return;
    if (isAlways) this.#always.set(asked.name, source);
    turn.asked.add(call);
    turn.problems.delete(call);
    this.#tell(turn);
    const { signal } = this.#asking;
    let text: string | undefined;
    try {
      text = await this.#parts.answer(asked, source, signal);
    } catch (error) {
      if (!isCancellation(error) && !signal.aborted) {
        this.#parts.note(error);
        turn.problems.set(call, this.#parts.messageOf(error));
      }
      // What failed is not tried again behind the person's back.
      this.#always.delete(asked.name);
    }
    turn.asked.delete(call);
    if (text === undefined || signal.aborted) this.#tell(turn);
    else this.#take(id, call, text, source);
  }

  stop(): void {
    this.#asking.abort(new CancelledError('The tools were stopped.'));
    this.#asking = new AbortController();
    for (const { session } of this.#turns) session.stop();
  }

  dispose(): void {
    this.#asking.abort(new CancelledError('The panel was closed.'));
    for (const { session } of this.#turns) session.dispose();
  }

  record(): ChatRecord {
    return {
      ...(this.#beginning !== undefined && { beginning: this.#beginning }),
      ...(this.#state !== undefined && { state: this.#state }),
      turns: this.#turns.map(({ id, parent, input, core, session, results, drafts }) => {
        const { status, parts } = session.record();
        // One that goes on is not in the state yet.
        const isKnown = (core ?? 0) <= (this.#state?.turns.length ?? 0);
        return {
          ...{ id, parent, input, core: isKnown ? core : null, status, parts },
          ...{ results: Object.fromEntries(results), drafts: Object.fromEntries(drafts) },
        };
      }),
      ...{ head: this.#head, draft: this.#draft, stopsBefore: this.#stopsBefore },
    };
  }

  #restore(record: ChatRecord): void {
    const { beginning, state, turns, head, draft, stopsBefore } = record;
    this.#beginning = beginning;
    this.#state = state;
    this.#head = head;
    this.#draft = draft;
    this.#stopsBefore = stopsBefore;
    if (beginning === undefined) return;
    for (const { id, parent, input, core, status, parts, results, drafts } of turns) {
      const turn = this.#makeTurn(id, parent, input, beginning);
      turn.core = core;
      for (const [call, result] of Object.entries(results)) turn.results.set(call, result);
      for (const [call, text] of Object.entries(drafts)) turn.drafts.set(call, text);
      turn.session.restore({ status, parts, raw: null });
      this.#turns.push(turn);
    }
    const last = this.#turn(head);
    const calls = last === undefined ? [] : this.#callsOf(last);
    // The window went before they were sent: the person sends them.
    if (last !== undefined && calls.every((one) => last.results.has(one.id))) this.#reopen(last);
  }

  /** What was answered stands in the fields, to be changed. */
  #reopen({ results, drafts }: Turn): void {
    for (const [call, { text }] of results) drafts.set(call, text);
    results.clear();
  }

  #refusal(): ValidationError {
    return new ValidationError(this.#parts.t('Enter a message.'));
  }

  #demandQuiet(): void {
    if (!this.isRunning) return;
    throw new ValidationError(this.#parts.t('An answer is still being written.'), {
      hint: this.#parts.t('Wait for it, or select Stop.'),
    });
  }

  #turn(id: number | null): Turn | undefined {
    return id === null ? undefined : this.#turns[id - 1];
  }

  #path(): readonly Turn[] {
    const path: Turn[] = [];
    for (let turn = this.#turn(this.#head); turn !== undefined; turn = this.#turn(turn.parent)) {
      path.push(turn);
    }
    return path.reverse();
  }

  #callsOf({ core }: Turn): readonly TurnToolCall[] {
    const turn = core === null ? undefined : this.#state?.turns[core - 1];
    return toolCallsOf(turn?.message ?? null);
  }

  #isUsable({ core }: Turn): boolean {
    return core !== null && (this.#state?.turns[core - 1]?.message ?? null) !== null;
  }

  #misfit({ misfits }: Turn, call: TurnToolCall): string | undefined {
    if (this.#state === undefined) return undefined;
    if (!misfits.has(call.id)) misfits.set(call.id, this.#parts.misfitOf(call, this.#state));
    return misfits.get(call.id);
  }

  #shown(turn: Turn): ChatTurn {
    const { id, parent, input, session } = turn;
    const { status, parts } = session.snapshot();
    return {
      ...{ id, parent, status, parts },
      ...('text' in input && { text: input.text }),
      results: 'results' in input ? input.results.map(({ callId: _, ...result }) => result) : [],
      // Of the others the turns after them have the results.
      calls:
        id === this.#head ? this.#callsOf(turn).map((call) => this.#shownCall(turn, call)) : [],
      isUsable: this.#isUsable(turn),
    };
  }

  #shownCall(turn: Turn, call: TurnToolCall): ChatCall {
    const { results, drafts, asked, problems } = turn;
    const { id, name } = call;
    const [misfit, draft, result] = [this.#misfit(turn, call), drafts.get(id), results.get(id)];
    const problem = problems.get(id);
    return {
      ...{ id, name },
      ...(misfit !== undefined && { misfit }),
      ...(draft !== undefined && { draft }),
      ...(result !== undefined && { result }),
      ...(asked.has(id) && { isAsked: true }),
      ...(problem !== undefined && { problem }),
    };
  }

  #tell(turn: Turn): void {
    this.#parts.emit('chatTurn', this.#shown(turn));
  }

  #save(isTurn = false): void {
    this.#parts.save(this.record(), isTurn);
  }

  #begin(parent: number | null, input: KeptInput): void {
    const beginning = this.#beginning;
    if (beginning === undefined) return;
    const turn = this.#makeTurn(this.#turns.length + 1, parent, input, beginning);
    this.#turns.push(turn);
    this.#head = turn.id;
    turn.session.begin(beginning.variables);
    this.#tell(turn);
    this.#parts.emit('chatHead', { head: turn.id });
    this.#save(true);
  }

  #makeTurn(id: number, parent: number | null, input: KeptInput, beginning: ChatBeginning): Turn {
    const turn: Turn = {
      ...{ id, parent, input, core: null, results: new Map(), drafts: new Map() },
      ...{ asked: new Set(), problems: new Map() },
      ...{ misfits: new Map(), resting: undefined },
      session: this.#parts.makeSession(
        {
          start: (_, signal) => this.#start(turn, signal),
          emit: (_, payload) => {
            const { status, changes } =
              'status' in payload ? payload : { status: payload, changes: [] };
            this.#parts.emit('chatProgress', { turn: id, status, changes });
          },
          save: () => this.#save(),
          ended: () => void this.#settle(turn),
        },
        beginning,
      ),
    };
    return turn;
  }

  async #start(turn: Turn, signal: AbortSignal): Promise<AsyncIterable<RunChunk>> {
    let resolve = (): void => undefined;
    turn.resting = new Promise<void>((done) => (resolve = done));
    try {
      const chunks = await this.#ask(turn, signal);
      return readThen(chunks, () => resolve());
    } catch (error) {
      resolve();
      throw error;
    }
  }

  async #ask(turn: Turn, signal: AbortSignal): Promise<AsyncIterable<RunChunk>> {
    const beginning = this.#beginning;
    if (beginning === undefined) throw this.#refusal();
    const conversation = await this.#parts.open(beginning, this.#state, signal);
    this.#conversation = conversation;
    const after = this.#turn(turn.parent)?.core ?? null;
    const { input } = turn;
    const said: TurnInput =
      'results' in input
        ? { toolResults: input.results.map(({ callId, text }) => ({ callId, text })) }
        : input;
    const { id, chunks } = await conversation.stream(said, { after, signal });
    turn.core = id;
    return chunks;
  }

  /** The session of a turn is over; its stream may end a moment later. */
  async #settle(turn: Turn): Promise<void> {
    await turn.resting;
    turn.resting = undefined;
    this.#state = this.#conversation?.state ?? this.#state;
    this.#tell(turn);
    this.#parts.settled();
    this.#save(true);
    if (this.#head !== turn.id) return;
    for (const { id, name } of this.#callsOf(turn)) {
      const source = this.#always.get(name);
      if (source === undefined || this.#stopsBefore.includes(name)) continue;
      void this.answerWith(turn.id, id, source, false);
    }
  }

  #take(id: number, call: string, whole: string, source: ToolSource): void {
    const turn = this.#turn(id);
    const calls = turn === undefined ? [] : this.#callsOf(turn);
    if (turn === undefined || !calls.some((one) => one.id === call)) return;
    const { t } = this.#parts;
    const text =
      whole.length <= longestResult
        ? whole
        : `${whole.slice(0, longestResult).replace(/[\uD800-\uDBFF]$/, '')}\n${t('[Cut off: {0} of {1} characters.]', longestResult, whole.length)}`;
    turn.results.set(call, {
      ...{ text, source },
      ...(text !== whole && { cutFrom: whole.length }),
    });
    turn.problems.delete(call);
    this.#tell(turn);
    this.#save();
    if (this.#head === id && calls.every((one) => turn.results.has(one.id))) {
      void this.#goOn(turn, calls);
    }
  }

  /** Every call has its result. */
  async #goOn(turn: Turn, calls: readonly TurnToolCall[]): Promise<void> {
    const results = calls.flatMap(({ id: callId, name }) => {
      const result = turn.results.get(callId);
      return result === undefined ? [] : [{ callId, name, ...result }];
    });
    if (this.#toolTurns >= mostToolTurns) {
      const goesOn = await this.#parts.goOn(this.#toolTurns).catch((error: unknown) => {
        if (!isCancellation(error)) this.#parts.note(error);
        return false;
      });
      if (!goesOn) {
        // The person takes over.
        this.#reopen(turn);
        this.#always.clear();
        this.#tell(turn);
        return;
      }
      this.#toolTurns = 0;
    }
    this.#toolTurns += 1;
    if (this.#head === turn.id && !this.isRunning) this.#begin(turn.id, { results });
  }
}
