import variant from '@jitl/quickjs-singlefile-mjs-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import type { CodeLimits, SandboxAnswer, SandboxReply } from './protocol.ts';

/** More overflows the stack of WebAssembly itself, before QuickJS notices. */
const STACK_BYTES = 64 * 1024;
const LOG_CHARACTERS = 2000;
const JOBS_A_TURN = 1000;

let loading: Promise<QuickJSWASMModule> | undefined;

/**
 * Taken before the code runs, so that it can't replace them. A lone bigint becomes an exact number,
 * one inside an object the text of its digits.
 */
const PRELUDE = `(function (dataText, write) {
  const { stringify, parse } = JSON;
  const text = (part) => {
    try { return typeof part === 'string' ? part : stringify(part) ?? String(part); }
    catch { return String(part); }
  };
  const log = (...parts) => write(parts.map(text).join(' '));
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  globalThis.data = parse(dataText);
  // As Python's dictionaries have it; unseen among the columns, and less than one that is called so.
  if (!Object.hasOwn(data, 'get'))
    Object.defineProperty(data, 'get', {
      value: (name, otherwise = null) => Object.hasOwn(data, name) ? data[name] : otherwise,
    });
  return (value) => typeof value === 'bigint'
    ? String(value)
    : stringify(value, (_, part) => typeof part === 'bigint' ? String(part) : part) ?? 'null';
})`;

/** What runs JavaScript, once its engine is there. */
export async function loadJavaScript(): Promise<
  (code: string, dataText: string, limits: CodeLimits) => Omit<SandboxReply, 'ms'>
> {
  const module = await (loading ??= newQuickJSWASMModuleFromVariant(variant));
  return (code, dataText, limits) => runJavaScript(module, code, dataText, limits);
}

function runJavaScript(
  module: QuickJSWASMModule,
  code: string,
  dataText: string,
  limits: CodeLimits,
): Omit<SandboxReply, 'ms'> {
  const runtime = module.newRuntime();
  const isLate = lateAfter(limits.timeMs);
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setInterruptHandler(isLate);
  const context = runtime.newContext();
  const run = new Run(context, limits, isLate);
  const answer = run.answer(code, dataText);
  // QuickJS may lose count of what it was stopped in the middle of, and aborts when that is freed.
  if (!answer.ok && answer.reason !== 'failed') return { answer, isSpent: true };
  try {
    run.dispose();
    context.dispose();
    runtime.dispose();
    return { answer, isSpent: false };
  } catch {
    // The answer is right all the same; only the engine can't be used again.
    return { answer, isSpent: true };
  }
}

/**
 * Time of the processor, as for Python: what a busy machine makes the code wait is not its fault. The
 * clock is asked first, which costs less, and the service has one of its own for code that waits on.
 */
function lateAfter(timeMs: number): () => boolean {
  const deadline = performance.now() + timeMs;
  const before = process.cpuUsage();
  return () => {
    if (performance.now() <= deadline) return false;
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 > timeMs;
  };
}

class Run {
  readonly #context: QuickJSContext;
  readonly #limits: CodeLimits;
  readonly #isLate: () => boolean;
  /** QuickJS aborts when its runtime goes while a handle is alive. */
  readonly #handles: QuickJSHandle[] = [];
  #log = '';

  constructor(context: QuickJSContext, limits: CodeLimits, isLate: () => boolean) {
    this.#context = context;
    this.#limits = limits;
    this.#isLate = isLate;
  }

  dispose(): void {
    for (const handle of this.#handles) if (handle.alive) handle.dispose();
  }

  #keep(handle: QuickJSHandle): QuickJSHandle {
    this.#handles.push(handle);
    return handle;
  }

  answer(code: string, dataText: string): SandboxAnswer {
    try {
      const serialize = this.#prepare(dataText);
      const result = this.#settle(this.#evaluate(code));
      const value = this.#context.getString(this.#call(serialize, result));
      if (value.length <= this.#limits.outputBytes) return { ok: true, value };
      return {
        ok: false,
        reason: 'too_large',
        message: `The code returned ${String(value.length)} characters; at most ${String(this.#limits.outputBytes)} are kept.`,
      };
    } catch (error) {
      return this.#failure(error);
    }
  }

  #prepare(dataText: string): QuickJSHandle {
    const prelude = this.#unwrap(this.#context.evalCode(PRELUDE, 'prelude.js'));
    const write = this.#context.newFunction('write', (line) => {
      if (this.#log.length < LOG_CHARACTERS) this.#log += `${this.#context.getString(line)}\n`;
    });
    const text = this.#context.newString(dataText);
    return this.#call(prelude, this.#keep(text), this.#keep(write));
  }

  /** Code is a function body with `return`, or a script whose last expression counts. */
  #evaluate(code: string): QuickJSHandle {
    const isAsync = /\bawait\b/.test(code);
    if (!isAsync && !/\breturn\b/.test(code)) return this.#unwrap(this.#script(code));
    const wrapper = isAsync ? 'async function' : 'function';
    const asBody = this.#context.evalCode(`(${wrapper} (data) {${code}\n})(data)`, 'code.js');
    if (asBody.error) {
      if (this.#nameOf(asBody.error) !== 'SyntaxError') return this.#unwrap(asBody);
      const asScript = this.#script(code);
      return this.#unwrap(asScript.error ? asBody : asScript);
    }
    const value = this.#keep(asBody.value);
    if (this.#context.typeof(value) !== 'undefined') return value;
    // The only `return` belongs to an inner function: the value is that of the last expression.
    const asScript = this.#script(code);
    return asScript.error ? value : asScript.value;
  }

  #script(code: string): ReturnType<QuickJSContext['evalCode']> {
    const result = this.#context.evalCode(code, 'code.js');
    this.#keep(result.error ?? result.value);
    return result;
  }

  #settle(handle: QuickJSHandle): QuickJSHandle {
    const { runtime } = this.#context;
    for (;;) {
      const state = this.#context.getPromiseState(handle);
      if (state.type === 'fulfilled') {
        return state.notAPromise === true ? handle : this.#keep(state.value);
      }
      if (state.type === 'rejected') {
        throw new CodeError(this.#context.dump(this.#keep(state.error)));
      }
      const jobs = runtime.executePendingJobs(JOBS_A_TURN);
      if (jobs.error) throw new CodeError(this.#context.dump(this.#keep(jobs.error)));
      if (this.#isLate()) throw new CodeError({ message: 'interrupted' });
      if (jobs.value === 0) {
        throw new CodeError({ name: 'Error', message: 'the returned promise never settles' });
      }
    }
  }

  #call(fn: QuickJSHandle, ...parameters: QuickJSHandle[]): QuickJSHandle {
    return this.#unwrap(this.#context.callFunction(fn, this.#context.undefined, ...parameters));
  }

  #unwrap(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error) throw new CodeError(this.#context.dump(this.#keep(result.error)));
    return this.#keep(result.value);
  }

  #nameOf(error: QuickJSHandle): string {
    const name = this.#keep(this.#context.getProp(this.#keep(error), 'name'));
    return this.#context.typeof(name) === 'string' ? this.#context.getString(name) : '';
  }

  #failure(error: unknown): SandboxAnswer {
    if (!(error instanceof CodeError)) throw error;
    const { name, message } = error;
    if (message === 'interrupted') {
      return {
        ok: false,
        reason: 'timed_out',
        message: `The code did not end within ${String(this.#limits.timeMs / 1000)} s and was stopped.`,
      };
    }
    if (message === 'out of memory') {
      return {
        ok: false,
        reason: 'too_large',
        message: `The code needs more than ${String(Math.round(this.#limits.memoryBytes / 2 ** 20))} MB of memory.`,
      };
    }
    const where = error.line === undefined ? '' : ` (line ${error.line})`;
    const log =
      this.#log.trim() === '' ? '' : `\nIts log: ${this.#log.trim().slice(0, LOG_CHARACTERS)}`;
    return {
      ok: false,
      reason: 'failed',
      message: `The code failed: ${name}: ${message}${where}${log}`,
    };
  }
}

/** What the code threw, which may be anything. */
class CodeError extends Error {
  readonly line: string | undefined;

  constructor(thrown: unknown) {
    const fields: Record<string, unknown> =
      typeof thrown === 'object' && thrown !== null ? { ...thrown } : {};
    super(typeof fields['message'] === 'string' ? fields['message'] : JSON.stringify(thrown));
    this.name = typeof fields['name'] === 'string' ? fields['name'] : 'Error';
    this.line =
      typeof fields['stack'] === 'string' ? /code\.js:(\d+)/.exec(fields['stack'])?.[1] : undefined;
  }
}
