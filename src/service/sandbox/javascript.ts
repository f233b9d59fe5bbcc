import variant from '@jitl/quickjs-singlefile-mjs-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { MemoryImage } from './memory-image.ts';
import type { CodeLimits, SandboxAnswer, SandboxReply } from './protocol.ts';

/** More overflows the stack of WebAssembly itself, before QuickJS notices. */
const STACK_BYTES = 64 * 1024;
/** Of WebAssembly. */
const PAGE = 64 * 1024;
const LOG_CHARACTERS = 2000;
const JOBS_A_TURN = 1000;
const NEVER_SETTLES = 'the returned promise never settles';

let loading: Promise<JavaScript> | undefined;

/**
 * Taken before the code runs, so that it can't replace them. A lone bigint becomes an exact number,
 * one inside an object the text of its digits. The engine seeds `Math.random` when it starts, which
 * is once for all cells: each cell has numbers of its own (sfc32) from a seed of its own.
 */
const PRELUDE = `(function (dataText, write, a, b, c, d) {
  const { stringify, parse } = JSON;
  const text = (part) => {
    try { return typeof part === 'string' ? part : stringify(part) ?? String(part); }
    catch { return String(part); }
  };
  const log = (...parts) => write(parts.map(text).join(' '));
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  const next = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum | 0;
    return sum >>> 0;
  };
  Math.random = { random() { return ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992; } }.random;
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
  loading ??= newQuickJSWASMModuleFromVariant(variant).then((module) => new JavaScript(module));
  const engine = await loading;
  return (code, dataText, limits) => engine.run(code, dataText, limits);
}

/**
 * One engine for all cells. Making a runtime, a context and the prelude costs ten times what most
 * cells do (210 to 340 µs), so they are made once, and after each cell the whole memory of the
 * engine is set back to that moment: nothing that a cell has done is there for the next one.
 */
class JavaScript {
  readonly #context: QuickJSContext;
  readonly #prelude: QuickJSHandle;
  readonly #write: QuickJSHandle;
  readonly #image: MemoryImage;
  #run: Run | undefined;
  #memoryBytes = 0;

  constructor(module: QuickJSWASMModule) {
    const runtime = module.newRuntime();
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => this.#run?.isLate() === true);
    this.#context = runtime.newContext();
    this.#prelude = this.#context.unwrapResult(this.#context.evalCode(PRELUDE, 'prelude.js'));
    this.#write = this.#context.newFunction('write', (line) => {
      this.#run?.write(this.#context.getString(line));
    });
    const memory = module.getWasmMemory();
    this.#image = new MemoryImage(memory);
    // QuickJS counts how many blocks of memory it has, not how large they are: its own limit alone
    // would let one array take all that WebAssembly has.
    const free = memory.buffer.byteLength;
    memory.grow = (pages) => {
      // Where it takes too much at once it asks for less in its next call.
      const isFull = memory.buffer.byteLength + pages * PAGE > free + this.#memoryBytes;
      if (this.#run !== undefined) this.#run.isFull = isFull;
      if (isFull) throw new RangeError('The code has all the memory that it may have.');
      return WebAssembly.Memory.prototype.grow.call(memory, pages);
    };
  }

  run(code: string, dataText: string, limits: CodeLimits): Omit<SandboxReply, 'ms'> {
    const context = this.#context;
    context.runtime.setMemoryLimit(limits.memoryBytes);
    this.#memoryBytes = limits.memoryBytes;
    const seed = crypto.getRandomValues(new Int32Array(4));
    const run = new Run(context, limits);
    this.#run = run;
    const answer = run.answer(code, this.#prelude, [
      context.newString(dataText),
      this.#write,
      ...Array.from(seed, (part) => context.newNumber(part)),
    ]);
    this.#run = undefined;
    // Handles are left as they are: what they name is not there any more.
    this.#image.restore();
    // The memory of WebAssembly never shrinks.
    return { answer, isSpent: !answer.ok && answer.reason === 'too_large' };
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
  readonly isLate: () => boolean;
  /** It was refused the memory that it asked for last. */
  isFull = false;
  readonly #context: QuickJSContext;
  readonly #limits: CodeLimits;
  #log = '';

  constructor(context: QuickJSContext, limits: CodeLimits) {
    this.#context = context;
    this.#limits = limits;
    this.isLate = lateAfter(limits.timeMs);
  }

  write(line: string): void {
    if (this.#log.length < LOG_CHARACTERS) this.#log += `${line}\n`;
  }

  /** The prelude, with what it is given, answers what writes a value down. */
  answer(code: string, prelude: QuickJSHandle, given: readonly QuickJSHandle[]): SandboxAnswer {
    try {
      const serialize = this.#call(prelude, ...given);
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
    const value = asBody.value;
    if (this.#context.typeof(value) !== 'undefined') return value;
    // The only `return` belongs to an inner function: the value is that of the last expression.
    const asScript = this.#script(code);
    return asScript.error ? value : asScript.value;
  }

  #script(code: string): ReturnType<QuickJSContext['evalCode']> {
    return this.#context.evalCode(code, 'code.js');
  }

  #settle(handle: QuickJSHandle): QuickJSHandle {
    const { runtime } = this.#context;
    for (;;) {
      const state = this.#context.getPromiseState(handle);
      if (state.type === 'fulfilled') {
        return state.notAPromise === true ? handle : state.value;
      }
      if (state.type === 'rejected') {
        throw new CodeError(this.#context.dump(state.error));
      }
      const jobs = runtime.executePendingJobs(JOBS_A_TURN);
      if (jobs.error) throw new CodeError(this.#context.dump(jobs.error));
      if (this.isLate()) throw new CodeError({ message: 'interrupted' });
      if (jobs.value === 0) {
        throw new CodeError({ name: 'Error', message: NEVER_SETTLES });
      }
    }
  }

  #call(fn: QuickJSHandle, ...parameters: QuickJSHandle[]): QuickJSHandle {
    return this.#unwrap(this.#context.callFunction(fn, this.#context.undefined, ...parameters));
  }

  #unwrap(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error) throw new CodeError(this.#context.dump(result.error));
    return result.value;
  }

  #nameOf(error: QuickJSHandle): string {
    const name = this.#context.getProp(error, 'name');
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
    // QuickJS loses its errors of memory in the jobs of promises, and throws null where there is no
    // memory for an error either.
    const isLost = message === NEVER_SETTLES || message === 'null';
    if (message === 'out of memory' || (this.isFull && isLost)) {
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
