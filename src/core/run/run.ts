import type { CallOptions } from '../http/call.ts';
import type { RunContext } from './context.ts';
import { givenOptions } from './given.ts';
import type { RunOptions, RunResult, RunStream } from './options.ts';
import type { AnyName, InlineRunOptions, StoredRunOptions } from './stored.ts';

interface InChunks {
  readonly stream: true;
}
interface Whole {
  readonly stream?: false | undefined;
}

/** Runs a stored prompt. */
export interface RunMethod {
  (options: InlineRunOptions & InChunks, callOptions?: CallOptions): Promise<RunStream>;
  (options: InlineRunOptions & Whole, callOptions?: CallOptions): Promise<RunResult>;
  (options: InlineRunOptions, callOptions?: CallOptions): Promise<RunResult | RunStream>;
  <Name extends AnyName>(
    options: StoredRunOptions<Name> & InChunks,
    callOptions?: CallOptions,
  ): Promise<RunStream>;
  <Name extends AnyName>(
    options: StoredRunOptions<Name> & Whole,
    callOptions?: CallOptions,
  ): Promise<RunResult>;
  <Name extends AnyName>(
    options: StoredRunOptions<Name>,
    callOptions?: CallOptions,
  ): Promise<RunResult | RunStream>;
}

/** What runs prompts is loaded with the first run. */
export function makeRun(context: RunContext): RunMethod {
  const run = async (
    options: RunOptions,
    callOptions: CallOptions = {},
  ): Promise<RunResult | RunStream> => {
    const given = givenOptions(options);
    const { runPrompt } = await import('./run-prompt.ts');
    return runPrompt(context, given, callOptions);
  };
  return run as RunMethod;
}
