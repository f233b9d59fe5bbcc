import type { CodeCall } from './call.ts';
import type { TextOfImport } from './calls.ts';
import { CallFinder } from './calls.ts';
import { Constants } from './constants.ts';
import type { CodeLanguage } from './languages.ts';
import { mayAskForPrompts } from './languages.ts';
import { lexPython } from './lex-python.ts';
import { lexScript } from './lex-script.ts';
import { kind, tokensAtOnce } from './tokens.ts';

export interface ScanOptions {
  /** Further functions that are given the name of a prompt: `getPrompt`, or `prompts.load`. */
  readonly callees?: readonly string[] | undefined;
  /** Asked for names that another file gives their text. */
  readonly textOf?: TextOfImport | undefined;
}

/** The calls of a text, in the order in which they begin. It stops now and then, for whoever has other work. */
function* scan(
  text: string,
  language: CodeLanguage,
  { callees = [], textOf = () => undefined }: ScanOptions,
): Generator<void, readonly CodeCall[], undefined> {
  if (!mayAskForPrompts(text, callees)) return [];
  const tokens =
    language === 'python'
      ? yield* lexPython(text)
      : yield* lexScript(text, language === 'scriptWithElements');
  yield* tokens.matching();
  const finder = new CallFinder(tokens, language, callees, textOf);
  const calls: CodeCall[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (at % tokensAtOnce === 0) yield;
    if (tokens.kindAt(at) !== kind.open) continue;
    const call = finder.callAt(at);
    if (call !== undefined) calls.push(call);
  }
  return calls;
}

/** The text that a file gives to a name for others; undefined: none, or not certainly. */
export function exportedText(
  text: string,
  language: CodeLanguage,
  name: string,
): string | undefined {
  if (!text.includes(name)) return undefined;
  const lexing =
    language === 'python' ? lexPython(text) : lexScript(text, language === 'scriptWithElements');
  for (;;) {
    const { done, value: tokens } = lexing.next();
    if (done !== true) continue;
    const constant = new Constants(tokens, language).get(name);
    return constant?.isExported === true ? constant.literal.value : undefined;
  }
}

/** Nothing that somebody may type makes it throw. */
export function callsIn(
  text: string,
  language: CodeLanguage,
  options: ScanOptions = {},
): readonly CodeCall[] {
  const scanning = scan(text, language, options);
  for (;;) {
    const { done, value } = scanning.next();
    if (done === true) return value;
  }
}

/** Gives way to other work: `pause` is awaited after each slice of about `sliceMs`. */
export class Slices {
  readonly #pause: () => Promise<void>;
  readonly #sliceMs: number;
  #began = performance.now();

  constructor(pause: () => Promise<void>, sliceMs = 10) {
    this.#pause = pause;
    this.#sliceMs = sliceMs;
  }

  async giveWay(signal: AbortSignal): Promise<void> {
    if (performance.now() - this.#began < this.#sliceMs) return;
    await this.#pause();
    signal.throwIfAborted();
    this.#began = performance.now();
  }
}

/** The same in slices. Errors: the reason of `signal`. */
export async function callsInSlices(
  text: string,
  language: CodeLanguage,
  {
    slices,
    signal,
    ...options
  }: ScanOptions & { readonly slices: Slices; readonly signal: AbortSignal },
): Promise<readonly CodeCall[]> {
  const scanning = scan(text, language, options);
  for (;;) {
    const { done, value } = scanning.next();
    if (done === true) return value;
    await slices.giveWay(signal);
  }
}
