import type { CallOptions } from '../http/call.ts';
import type { RunContext } from './context.ts';
import { givenOptions } from './given.ts';
import type { RunOptions, RunResult, RunStream } from './options.ts';

/** Runs a stored prompt. */
export interface RunMethod {
  (options: RunOptions & { readonly stream: true }, callOptions?: CallOptions): Promise<RunStream>;
  (
    options: RunOptions & { readonly stream?: false | undefined },
    callOptions?: CallOptions,
  ): Promise<RunResult>;
  (options: RunOptions, callOptions?: CallOptions): Promise<RunResult | RunStream>;
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
