/** Calls that ask for prompts and workflows by name, found among the tokens of a file. */
import type { CallKind, CodeCall, CodeVariables, Given } from './call.ts';
import { fieldsOf, getOptions } from './client-fields.ts';
import { Constants } from './constants.ts';
import type { Import } from './imports.ts';
import type { CodeLanguage } from './languages.ts';
import type { Expression, StringLiteral } from './literals.ts';
import { literalValue, numberAt, partsOf, stringLiteral } from './literals.ts';
import type { Span, Tokens } from './tokens.ts';
import { kind } from './tokens.ts';

const clientName = /prompt_?layer/i;
const packageName = /^(?:promptlayer|prompt-tables(?:-sdk)?)(?:$|[./])/;

const snake = (name: string): string => name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);

interface Option {
  /** The name of the option as it stands there. */
  readonly key: Span;
  readonly value: Expression;
  readonly quote: string | undefined;
}

interface Options {
  readonly entries: ReadonlyMap<string, Option>;
  readonly isOpen: boolean;
  readonly slots: readonly Span[];
}

interface Callee {
  readonly kind: CallKind;
  readonly method: number;
  readonly isClient: boolean;
}

/** Undefined: not known. */
export type TextOfImport = (imported: Import) => string | undefined;

export class CallFinder {
  readonly #tokens: Tokens;
  readonly #language: CodeLanguage;
  readonly #constants: Constants;
  readonly #callees: readonly (readonly string[])[];
  readonly #textOf: TextOfImport;
  #asksClient: boolean | undefined;

  constructor(
    tokens: Tokens,
    language: CodeLanguage,
    callees: readonly string[],
    textOf: TextOfImport,
  ) {
    this.#textOf = textOf;
    this.#tokens = tokens;
    this.#language = language;
    this.#constants = new Constants(tokens, language);
    this.#callees = callees.map((callee) => callee.split('.'));
  }

  /** The call whose bracket is opened by this token; undefined: it is none, or none of these. */
  callAt(open: number): CodeCall | undefined {
    if (!this.#tokens.is(open, '(')) return undefined;
    const callee = this.#calleeOf(open);
    if (callee === undefined) return undefined;
    return this.#language === 'python' ? this.#python(callee, open) : this.#script(callee, open);
  }

  /** The method in front of a bracket, behind type arguments and a question mark. */
  #methodBefore(open: number): number {
    const tokens = this.#tokens;
    let at = open - 1;
    if (this.#language === 'python') return at;
    if (tokens.is(at, '?.')) at -= 1;
    if (!tokens.is(at, '>')) return at;
    let depth = 0;
    for (const furthest = Math.max(0, at - 60); at >= furthest; at -= 1) {
      if (tokens.is(at, '>')) depth += 1;
      else if (tokens.is(at, '<')) depth -= 1;
      if (depth === 0) return at - 1;
    }
    return -1;
  }

  /** Names joined by dots, from the last to the first. */
  #chain(method: number): readonly string[] {
    const tokens = this.#tokens;
    const names: string[] = [];
    for (let at = method; tokens.isName(at) && names.length < 12; at -= 2) {
      names.push(tokens.textAt(at).replace(/^#/, ''));
      if (!tokens.is(at - 1, '.') && !tokens.is(at - 1, '?.')) break;
    }
    return names;
  }

  #calleeOf(open: number): Callee | undefined {
    const tokens = this.#tokens;
    const method = this.#methodBefore(open);
    if (!tokens.isName(method)) return undefined;
    const isMember = tokens.is(method - 1, '.') || tokens.is(method - 1, '?.');
    const before = tokens.textAt(method - 1);
    if (before === 'function' || before === 'def' || before === 'class') return undefined;
    const chain = this.#chain(method);
    const of = (what: CallKind): Callee => ({
      kind: what,
      method,
      isClient: chain.slice(1).some((name) => clientName.test(name)) || this.#isOfClientFile(),
    });
    const isCallee = this.#callees.some((names) =>
      names.toReversed().every((name, at) => chain[at] === name),
    );
    if (isCallee) return of('callee');
    if (!isMember) return undefined;
    switch (chain[0]) {
      case 'run':
        return of('run');
      case 'get':
        return chain[1] === 'templates' ? of('get') : undefined;
      case 'runWorkflow':
      case 'run_workflow':
        return of('workflow');
      case 'logRequest':
      case 'log_request':
        return of('log');
      default:
        return undefined;
    }
  }

  /** Whether the file takes in one of the clients by its name. */
  #isOfClientFile(): boolean {
    if (this.#asksClient !== undefined) return this.#asksClient;
    const tokens = this.#tokens;
    let isFound = false;
    for (let at = 0; at < tokens.length && !isFound; at += 1) {
      if (this.#language === 'python') {
        const isImport = tokens.is(at, 'import') || tokens.is(at, 'from');
        isFound = isImport && tokens.is(at + 1, 'promptlayer');
      } else if (tokens.kindAt(at) === kind.string) {
        const before = tokens.textAt(tokens.is(at - 1, '(') ? at - 2 : at - 1);
        isFound =
          /^(?:from|import|require)$/.test(before) &&
          packageName.test(tokens.textAt(at).slice(1, -1));
      }
    }
    this.#asksClient = isFound;
    return isFound;
  }

  #script(callee: Callee, open: number): CodeCall | undefined {
    const tokens = this.#tokens;
    const parts = [...partsOf(tokens, open)].slice(0, 3);
    const [first, second] = parts;
    const end = tokens.partner(open);
    if (first === undefined || tokens.is(first.first, '...')) return undefined;
    // A method of that name that is declared: name(…) { or name(…): type {.
    const isDeclared = tokens.is(end + 1, '{') && !tokens.is(callee.method - 1, '.');
    if (isDeclared) return undefined;
    if (this.#isObject(first)) {
      const options = this.#object(first.first);
      return this.#made(callee, open, undefined, options);
    }
    if (callee.kind !== 'get' && callee.kind !== 'callee') return undefined;
    const options =
      second !== undefined && this.#isObject(second) ? this.#object(second.first) : undefined;
    return this.#made(callee, open, first, options, second !== undefined && options === undefined);
  }

  #python(callee: Callee, open: number): CodeCall | undefined {
    const positional: Expression[] = [];
    const entries = new Map<string, Option>();
    let isOpen = false;
    const tokens = this.#tokens;
    for (const part of partsOf(tokens, open)) {
      const { first, end } = part;
      if (tokens.is(first, '*') || tokens.is(first, '**')) isOpen = true;
      else if (tokens.isName(first) && tokens.is(first + 1, '=')) {
        const value = { first: first + 2, end };
        entries.set(snake(tokens.textAt(first)), {
          key: tokens.span(first),
          value,
          quote: undefined,
        });
      } else if (first < end) positional.push(part);
      // More were hostile, or data.
      if (entries.size + positional.length > 200) return undefined;
    }
    const isGet = callee.kind === 'get' || callee.kind === 'callee';
    const [name, params = entries.get('params')?.value] = positional;
    const isDict = params !== undefined && this.#isObject(params);
    const given = isGet && isDict ? this.#dict(params.first) : undefined;
    const all = new Map([...entries, ...(given?.entries ?? [])]);
    const isHidden = isGet && params !== undefined && !isDict;
    // run("name"): others have a method of this name that is given a text.
    const takesFirst = isGet || (callee.kind === 'run' && this.#isClientOfFile(callee));
    return this.#made(
      callee,
      open,
      takesFirst ? name : undefined,
      { entries: all, isOpen: isOpen || given?.isOpen === true, slots: [] },
      isHidden || positional.length > (isGet ? 2 : 1),
    );
  }

  /** Whether it is called on a name that a client is given in this file, or that says it. */
  #isClientOfFile({ method, isClient }: Callee): boolean {
    const tokens = this.#tokens;
    const chain = this.#chain(method);
    if (chain.slice(1).some((name) => clientName.test(name))) return true;
    return (
      isClient &&
      chain.length > 1 &&
      /client|^pl$/i.test(chain[1] ?? '') &&
      tokens.isName(method - 2)
    );
  }

  #isObject({ first, end }: Expression): boolean {
    const tokens = this.#tokens;
    return tokens.is(first, '{') && tokens.after(first) >= end;
  }

  #object(open: number): Options {
    return this.#language === 'python' ? this.#dict(open) : this.#scriptObject(open);
  }

  #slotsOf(open: number): Span[] {
    const tokens = this.#tokens;
    const slots: Span[] = [];
    for (const { first, end } of partsOf(tokens, open)) {
      // Between what stands before it and its own first token, or the bracket.
      if (slots.length < 1000) {
        slots.push({
          from: tokens.to(first - 1),
          to: first < end ? tokens.to(first) : tokens.from(end),
        });
      }
    }
    const end = Math.min(tokens.partner(open), tokens.length);
    const last = tokens.is(end - 1, ',') || end === open + 1;
    if (last) slots.push({ from: tokens.to(end - 1), to: tokens.from(end) });
    return slots;
  }

  #scriptObject(open: number): Options {
    const tokens = this.#tokens;
    const entries = new Map<string, Option>();
    let isOpen = false;
    for (const { first, end } of partsOf(tokens, open)) {
      if (first >= end) continue;
      const isName = tokens.isName(first);
      const quoted = isName ? undefined : stringLiteral(tokens, first, this.#language);
      const name = isName ? tokens.textAt(first) : quoted?.value;
      const isPair = tokens.is(first + 1, ':');
      const isShort = isName && end === first + 1;
      if (name === undefined || (!isPair && !isShort)) {
        isOpen = true;
        continue;
      }
      const key = quoted?.inner ?? tokens.span(first);
      const value = isPair ? { first: first + 2, end } : { first, end };
      entries.set(name, { key, value, quote: quoted?.quote });
    }
    return { entries, isOpen, slots: this.#slotsOf(open) };
  }

  #dict(open: number): Options {
    const tokens = this.#tokens;
    const entries = new Map<string, Option>();
    let isOpen = false;
    for (const { first, end } of partsOf(tokens, open)) {
      if (first >= end) continue;
      const key = stringLiteral(tokens, first, this.#language);
      const isPair = tokens.is(first + 1, ':');
      if (key === undefined || (!isPair && end > first + 1)) {
        isOpen = true;
        continue;
      }
      entries.set(key.value, {
        ...{ key: key.inner, quote: key.quote },
        value: { first: isPair ? first + 2 : end, end },
      });
    }
    return { entries, isOpen, slots: this.#slotsOf(open) };
  }

  #made(
    callee: Callee,
    open: number,
    positional: Expression | undefined,
    options: Options | undefined,
    isHidden = false,
  ): CodeCall | undefined {
    const tokens = this.#tokens;
    const fields = fieldsOf[callee.kind];
    const entries = new Map(
      [...(options?.entries ?? [])].map(([name, option]) => [snake(name), option]),
    );
    const optionOf = (names: readonly string[]): Expression | undefined =>
      names.map((name) => entries.get(name)?.value).find((value) => value !== undefined);
    const nameAt = positional ?? optionOf(fields.names);
    const name = nameAt === undefined ? undefined : this.#text(nameAt);
    if (name?.kind !== 'literal') return undefined;
    if (callee.kind === 'get') {
      const isGet = callee.isClient || [...entries.keys()].some((key) => getOptions.has(key));
      if (!isGet) return undefined;
    }
    const labelAt = optionOf(fields.labels);
    const versionAt = optionOf(fields.versions);
    const variablesAt = optionOf(fields.variables);
    const end = tokens.partner(open);
    const label = labelAt === undefined ? undefined : this.#text(labelAt);
    const string = this.#string(nameAt);
    return {
      kind: callee.kind,
      span: { from: tokens.from(callee.method), to: tokens.to(Math.min(end, tokens.length - 1)) },
      method: tokens.span(callee.method),
      name,
      label,
      version: versionAt === undefined ? undefined : this.#number(versionAt),
      variables: variablesAt === undefined ? undefined : this.#variables(variablesAt),
      isOpen: isHidden || (options?.isOpen ?? false),
      hasVariants: entries.has('metadata') || entries.has('metadata_filters'),
      hasBlueprint: entries.has('prompt_blueprint'),
      isUnfinished: end >= tokens.length || string?.isOpen === true,
    };
  }

  #string(expression: Expression | undefined): StringLiteral | undefined {
    if (expression === undefined || expression.end - expression.first !== 1) return undefined;
    return stringLiteral(this.#tokens, expression.first, this.#language);
  }

  #spanOf({ first, end }: Expression): Span {
    const tokens = this.#tokens;
    return { from: tokens.from(first), to: Math.max(tokens.from(first), tokens.to(end - 1)) };
  }

  /** undefined, null and None are the same as an option that isn't there. */
  #isNone({ first, end }: Expression): boolean {
    const tokens = this.#tokens;
    if (end - first !== 1) return end <= first;
    return ['undefined', 'null', 'None'].some((word) => tokens.is(first, word));
  }

  #text(expression: Expression): Given<string> | undefined {
    if (this.#isNone(expression)) return undefined;
    const span = this.#spanOf(expression);
    const string = this.#string(expression);
    if (string !== undefined) {
      const { value, inner, quote, isRaw } = string;
      return { kind: 'literal', value, span, ...(!isRaw && { inner, quote }) };
    }
    const joined = this.#joined(expression);
    if (joined !== undefined) return { kind: 'literal', value: joined, span };
    const { first, end } = expression;
    const constant =
      end - first === 1 && this.#tokens.isName(first)
        ? this.#constants.get(this.#tokens.textAt(first))
        : undefined;
    if (constant === undefined) return this.#imported(expression) ?? { kind: 'computed', span };
    return { kind: 'literal', value: constant.literal.value, span, declared: constant.span };
  }

  /** A name whose text another file gives it, if whoever asks knows that. */
  #imported({ first, end }: Expression): Given<string> | undefined {
    if (end - first !== 1 || !this.#tokens.isName(first)) return undefined;
    const imported = this.#constants.imported(this.#tokens.textAt(first));
    const value = imported && this.#textOf(imported);
    return value === undefined || imported === undefined
      ? undefined
      : { kind: 'literal', value, span: this.#tokens.span(first), imported };
  }

  /** Strings of Python that stand behind each other are one. */
  #joined({ first, end }: Expression): string | undefined {
    if (this.#language !== 'python' || end - first < 2 || end - first > 50) return undefined;
    let all = '';
    for (let at = first; at < end; at += 1) {
      const part = stringLiteral(this.#tokens, at, this.#language);
      if (part === undefined) return undefined;
      all += part.value;
    }
    return all;
  }

  #number(expression: Expression): Given<number> | undefined {
    if (this.#isNone(expression)) return undefined;
    const span = this.#spanOf(expression);
    const { first, end } = expression;
    const value = end - first === 1 ? numberAt(this.#tokens, first) : undefined;
    return value === undefined ? { kind: 'computed', span } : { kind: 'literal', value, span };
  }

  #variables(expression: Expression): CodeVariables | undefined {
    if (this.#isNone(expression)) return undefined;
    const tokens = this.#tokens;
    const span = this.#spanOf(expression);
    const { first } = expression;
    if (!this.#isObject(expression)) return { span, entries: [], isOpen: true, slots: [] };
    const { entries, isOpen, slots } = this.#object(first);
    const found = [...entries].map(([name, { key, value, quote }]) => ({
      ...{ name, span: key, quote },
      isShort: value.first < value.end && tokens.from(value.first) === key.from,
      value: literalValue(tokens, value, this.#language),
    }));
    return { span, entries: found, isOpen, slots };
  }
}
