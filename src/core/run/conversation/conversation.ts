import type { PromptTemplate, Template } from '../../../api/template.ts';
import { createGroup } from '../../../api/tracking.ts';
import { withoutSteering } from '../../destination/steering.ts';
import { isCancellation } from '../../errors.ts';
import type { CallOptions } from '../../http/call.ts';
import type { Mapping } from '../../mapping.ts';
import { deepFreeze, isMapping, listOf } from '../../mapping.ts';
import type { EitherSpelling } from '../../spelling.ts';
import type { RunContext } from '../context.ts';
import type { GivenOptions } from '../given.ts';
import { givenOptions, refuse } from '../given.ts';
import type { RunChunk, RunFields, RunResult, RunStream } from '../options.ts';
import type { ConversationTurn, TurnInput } from './turns.ts';
import { demandLegal, messageOfReply, messagesFor, pathTo } from './turns.ts';

/** As of a run. The group is made with the first turn, unless one is given. */
export type ConversationOptions = EitherSpelling<RunFields>;

/** The prompt as its first turn has found it: filled in, and without anything that is secret. */
export interface OpenedPrompt {
  readonly id: number;
  readonly prompt_name: string;
  readonly version: number | null;
  readonly prompt_template: PromptTemplate;
  readonly metadata: Mapping | null;
  readonly llm_kwargs: Mapping | null;
}

/** Plain data, to go on from another time. */
export interface ConversationState {
  readonly groupId: number | null;
  /** Null until the first turn. */
  readonly prompt: OpenedPrompt | null;
  readonly turns: readonly ConversationTurn[];
  /** The turn that the next one follows; null: the next one begins. */
  readonly head: number | null;
}

/** As of every call, and where the turn stands. */
export interface TurnOptions extends CallOptions {
  /** The turn that this one follows instead of the last one; null: it begins the conversation. */
  readonly after?: number | null | undefined;
}

/** A turn that is being answered. */
export interface TurnStream {
  /** Of the turn, which `turn(id)` tells about. */
  readonly id: number;
  readonly chunks: RunStream;
}

/** What a conversation needs of a turn that is about to be asked. */
interface Asked {
  readonly turn: ConversationTurn;
  readonly given: GivenOptions;
  readonly template: Template;
  readonly messages: readonly unknown[];
}

/** The message of the model in a blueprint. */
function replyIn(blueprint: Mapping | undefined): Mapping | undefined {
  const prompt = blueprint?.['prompt_template'];
  const last = isMapping(prompt) ? listOf(prompt['messages']).at(-1) : undefined;
  return isMapping(last) && last['role'] === 'assistant' ? last : undefined;
}

function withoutSecrets(template: Template): OpenedPrompt {
  const { id, prompt_name, version = null, prompt_template, metadata, llm_kwargs } = template;
  return deepFreeze({
    ...{ id, prompt_name, version, prompt_template, metadata: metadata ?? null },
    llm_kwargs: isMapping(llm_kwargs) ? withoutSteering(llm_kwargs).kept : null,
  });
}

/**
 * A prompt, and what is said after it. Every turn is a request that is logged in one group. Turns
 * are never lost: one that follows an earlier turn leaves those after that one where they are.
 */
export class Conversation {
  readonly #context: RunContext;
  readonly #given: GivenOptions;
  #groupId: number | null;
  #prompt: OpenedPrompt | null;
  #turns: readonly ConversationTurn[];
  #head: number | null;
  /** With what isn't kept: where the workspace has its requests sent. */
  #template: Template | undefined;

  constructor(context: RunContext, options: ConversationOptions, state?: ConversationState) {
    this.#context = context;
    this.#given = givenOptions(options);
    this.#groupId = state?.groupId ?? this.#given.groupId ?? null;
    this.#prompt = state?.prompt ?? null;
    this.#turns = state?.turns ?? [];
    this.#head = state?.head ?? null;
    for (const [at, { id, parent, input }] of this.#turns.entries()) {
      if (id !== at + 1 || (parent ?? 0) >= id) {
        refuse('the state holds turns in no order', 'Give the state that a conversation had.');
      }
      demandLegal(input, this.turn(parent));
    }
    pathTo(this.#turns, this.#head);
  }

  get state(): ConversationState {
    return {
      ...{ groupId: this.#groupId, prompt: this.#prompt },
      ...{ turns: this.#turns, head: this.#head },
    };
  }

  turn(id: number | null): ConversationTurn | undefined {
    return id === null ? undefined : this.#turns[id - 1];
  }

  /** The turns that the next one follows. */
  get path(): readonly ConversationTurn[] {
    return pathTo(this.#turns, this.#head);
  }

  /** What the model was given up to the end of the path, and what it has answered. */
  get messages(): readonly unknown[] {
    return messagesFor(this.#prompt?.prompt_template['messages'], this.path, {});
  }

  /** The next turn follows this one: what follows it elsewhere is kept, and is not said. */
  goTo(turn: number | null): void {
    pathTo(this.#turns, turn);
    this.#head = turn;
  }

  /** Runs a turn. Errors: ValidationError for what may not follow, and those of every run. */
  async send(
    input: TurnInput = {},
    options: TurnOptions = {},
  ): Promise<RunResult & { readonly turn: ConversationTurn }> {
    const asked = await this.#ask(input, options, false);
    const result = (await this.#run(asked, options)) as RunResult;
    const turn = this.#end(asked, result.prompt_blueprint, result.request_id);
    return { ...result, turn };
  }

  /** The same in chunks. Leaving the loop ends the call; what had come of a text is kept. */
  async stream(input: TurnInput = {}, options: TurnOptions = {}): Promise<TurnStream> {
    const asked = await this.#ask(input, options, true);
    const chunks = (await this.#run(asked, options)) as RunStream;
    const read = this.#read(asked, chunks);
    // Started, so that `return()` before the first `next()` closes the socket too.
    await read.next();
    return { id: asked.turn.id, chunks: read as RunStream };
  }

  async *#read(
    asked: Asked,
    chunks: RunStream,
  ): AsyncGenerator<RunChunk | undefined, void, undefined> {
    let blueprint: Mapping | undefined;
    let isOver = false;
    let isFailed = false;
    try {
      yield undefined;
      for await (const chunk of chunks) {
        blueprint = chunk.prompt_blueprint;
        if (chunk.request_id !== undefined) {
          isOver = true;
          this.#end(asked, blueprint, chunk.request_id);
        }
        yield chunk;
      }
    } catch (error) {
      isFailed = !isCancellation(error);
      throw error;
    } finally {
      // Left before its first chunk, the loop above has not begun.
      if (!isOver) await chunks.return();
      if (!isOver && !isFailed) this.#end(asked, blueprint, null, true);
    }
  }

  #run({ given, template }: Asked, options: TurnOptions): Promise<RunResult | RunStream> {
    return import('../run-prompt.ts').then(({ runTemplate }) =>
      runTemplate(this.#context, given, template, options),
    );
  }

  async #ask(input: TurnInput, options: TurnOptions, stream: boolean): Promise<Asked> {
    const { after: parent = this.#head } = options;
    const path = pathTo(this.#turns, parent);
    demandLegal(input, path.at(-1));
    const opened = await this.#open(options);
    const groupId = await this.#group(options);
    const messages = messagesFor(opened.prompt_template['messages'], path, input);
    // As the service has made them where nothing is added yet.
    const isOpening = path.length === 0 && input.text === undefined;
    const template = isOpening
      ? opened
      : (await import('../changed-template.ts')).templateWith(opened, { messages });
    const turn = deepFreeze({
      ...{ id: this.#turns.length + 1, parent, input: { ...input } },
      ...{ message: null, requestId: null },
    });
    this.#turns = [...this.#turns, turn];
    const tags = [...(this.#given.tags ?? []), 'conversation'];
    const given = { ...this.#given, stream, groupId, tags, isTurn: true };
    return { turn, given, template, messages };
  }

  #end(
    { turn: begun, messages }: Asked,
    blueprint: Mapping | undefined,
    requestId: number | null,
    isPartial = false,
  ): ConversationTurn {
    const message = messageOfReply(replyIn(blueprint), messages, { isPartial });
    const turn = deepFreeze({ ...begun, message, requestId });
    this.#turns = this.#turns.map((one) => (one.id === turn.id ? turn : one));
    if (message !== null) this.#head = turn.id;
    return turn;
  }

  /** The prompt is filled in once. What it says of addresses is asked for again, never kept. */
  async #open(options: CallOptions): Promise<Template> {
    if (this.#template !== undefined) return this.#template;
    const { demandStore, fetchTemplate } = await import('../run-prompt.ts');
    const prompt = this.#prompt;
    const given = this.#given;
    demandStore(this.#context, given);
    const version = given.blueprint === undefined ? (prompt?.version ?? undefined) : undefined;
    const pinned = version === undefined ? given : { ...given, version, label: undefined };
    const fetched = await fetchTemplate(this.#context, pinned, options);
    if (fetched.prompt_template.type !== 'chat') {
      refuse('a completion has no turns', 'Give a prompt of messages.');
    }
    this.#prompt ??= withoutSecrets(fetched);
    this.#template = { ...fetched, ...this.#prompt };
    return this.#template;
  }

  async #group(options: CallOptions): Promise<number> {
    if (this.#groupId === null) {
      const { call, settled } = this.#context;
      const body = { api_key: settled.apiKey };
      this.#groupId = (await call(createGroup, { params: {}, body }, options)).id;
    }
    return this.#groupId;
  }
}
