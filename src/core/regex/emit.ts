import { pythonSpace } from '../templates/python-text.ts';
import type { ClassItem, Flags, Letters, Node, Pattern } from './ast.ts';
import { holds, widthOf } from './ast.ts';

type Engine = 'linear' | 'backtracking';

/** What an engine cannot say. */
class Unspeakable extends Error {}

const dotlessI = 0x131;
const dottedI = 0x130;
/** Python takes these four for one letter where case does not matter. */
const lettersOfI = [0x49, 0x69, dottedI, dotlessI];

const hex = (engine: Engine, code: number): string =>
  `${engine === 'linear' ? '\\x' : '\\u'}{${code.toString(16)}}`;

const letter = (engine: Engine, code: number): string =>
  /^[0-9A-Za-z]$/.test(String.fromCodePoint(code)) ? String.fromCodePoint(code) : hex(engine, code);

/** The inside of a class. */
function insideOf(engine: Engine, letters: Letters, isAscii: boolean): string {
  if (letters === 'd') return isAscii ? '0-9' : '\\p{Nd}';
  if (letters === 'w') return isAscii ? '0-9A-Za-z_' : '\\p{L}\\p{N}_';
  const spaces = isAscii ? ' \t\n\r\f\v' : pythonSpace;
  return Array.from(spaces, (space) => hex(engine, space.codePointAt(0) ?? 0)).join('');
}

const rangeText = (engine: Engine, low: number, high: number): string =>
  low === high ? letter(engine, low) : `${letter(engine, low)}-${letter(engine, high)}`;

function rangesOf(engine: Engine, items: readonly ClassItem[], { i, a }: Flags): string {
  const texts: string[] = [];
  let holdsI = false;
  for (const item of items) {
    if (item.type === 'range') {
      texts.push(rangeText(engine, item.low, item.high));
      holdsI ||= lettersOfI.some((code) => code >= item.low && code <= item.high);
    } else if (!item.isNegated) texts.push(insideOf(engine, item.letters, a));
  }
  if (i && holdsI) texts.push(...lettersOfI.map((code) => letter(engine, code)));
  return texts.join('');
}

const negatedLetters = (items: readonly ClassItem[]): readonly Letters[] =>
  items.flatMap((item) => (item.type === 'letters' && item.isNegated ? [item.letters] : []));

function classText(
  engine: Engine,
  { items, isNegated, flags }: { items: readonly ClassItem[]; isNegated: boolean; flags: Flags },
): string {
  const ranges = rangesOf(engine, items, flags);
  const others = negatedLetters(items).map((letters) => `[^${insideOf(engine, letters, flags.a)}]`);
  if (others.length === 0) return `[${isNegated ? '^' : ''}${ranges}]`;
  if (engine === 'backtracking') return `[${isNegated ? '^' : ''}${ranges}${others.join('')}]`;
  if (!isNegated) {
    const all = ranges === '' ? others : [`[${ranges}]`, ...others];
    return all.length === 1 ? (all[0] ?? '') : `(?:${all.join('|')})`;
  }
  const [only] = negatedLetters(items);
  if (others.length > 1 || only === undefined) throw new Unspeakable();
  return withoutItems(items, only, flags);
}

/** `[^\W_]`: letters of one kind, without some. */
function withoutItems(items: readonly ClassItem[], letters: Letters, flags: Flags): string {
  const rest = items.filter((item) => item.type === 'range' || !item.isNegated);
  if (rest.length === 0) return `[${insideOf('linear', letters, flags.a)}]`;
  const isUnderscore = (item: ClassItem): boolean =>
    item.type === 'range' && item.low === 95 && item.high === 95;
  const isDigits = (item: ClassItem): boolean => item.type === 'letters' && item.letters === 'd';
  if (letters !== 'w' || flags.a || !rest.every((item) => isUnderscore(item) || isDigits(item))) {
    throw new Unspeakable();
  }
  const digits = rest.some(isDigits) ? '\\p{Nl}\\p{No}' : '\\p{N}';
  return `[\\p{L}${digits}${rest.some(isUnderscore) ? '' : '_'}]`;
}

class Emitter {
  readonly #engine: Engine;
  /** Whether an end at a line end may be put as the end of the text: there is no line end. */
  readonly #endText: string | undefined;
  /** Groups that stand before those of the pattern. */
  readonly #firstGroup: number;

  constructor(engine: Engine, endText?: string, firstGroup = 0) {
    this.#engine = engine;
    this.#endText = endText;
    this.#firstGroup = firstGroup;
  }

  text(node: Node): string {
    const engine = this.#engine;
    switch (node.type) {
      case 'sequence':
        return node.items.map((item) => this.text(item)).join('');
      case 'choice':
        return `(?:${node.branches.map((branch) => this.text(branch)).join('|')})`;
      case 'letter':
        if (node.flags.i && lettersOfI.includes(node.code)) {
          return `[${lettersOfI.map((code) => letter(engine, code)).join('')}]`;
        }
        return this.#cased(this.#oneLetter(node.code, node.flags), node.flags);
      case 'any':
        if (!node.flags.s) return `[^${hex(engine, 10)}]`;
        return engine === 'linear' ? '(?s:.)' : '[^]';
      case 'class':
        return this.#cased(classText(engine, node), node.flags);
      case 'group':
        return `(${this.text(node.body)})`;
      case 'repeat':
        return this.#repeat(node);
      default:
        return engine === 'linear' ? this.#linear(node) : this.#backtracking(node);
    }
  }

  /** V8 finds letters beyond Latin-1 in a text of Latin-1 (ſ in "S") only where they are a class. */
  #oneLetter(code: number, { i }: Flags): string {
    const text = letter(this.#engine, code);
    return i && this.#engine === 'backtracking' && code > 0xff ? `[${text}]` : text;
  }

  /** For V8 case does not matter in a class right behind such a group either: nothing stands between. */
  #cased(text: string, { i }: Flags): string {
    if (!i) return text;
    return this.#engine === 'linear' ? `(?i:${text})` : `(?:(?i:${text})(?:))`;
  }

  #repeat({ body, least, most, isLazy }: Node & { type: 'repeat' }): string {
    const inner = this.text(body);
    // JavaScript takes an optional part that takes nothing for one that is not there.
    if (least === 0 && most === 1 && widthOf(body).least === 0) {
      return isLazy ? `(?:|${inner})` : `(?:${inner}|)`;
    }
    const isOne = body.type === 'group' || body.type === 'choice' || body.type === 'letter';
    const upTo = most === Number.POSITIVE_INFINITY ? '' : String(most);
    return `${isOne ? inner : `(?:${inner})`}{${String(least)},${upTo}}${isLazy ? '?' : ''}`;
  }

  #linear(node: Node): string {
    switch (node.type) {
      case 'start':
        return node.flags.m ? '(?m:^)' : '\\A';
      case 'end':
        return node.flags.m ? '(?m:$)' : (this.#endText ?? '\\z');
      case 'text start':
        return '\\A';
      case 'text end':
        return '\\z';
      case 'boundary':
        return node.isNegated ? '\\B' : '\\b';
      default:
        throw new Unspeakable();
    }
  }

  #backtracking(node: Node): string {
    switch (node.type) {
      case 'start':
        return node.flags.m ? '(?<![^\\n])' : '(?<![^])';
      case 'end':
        return node.flags.m ? '(?![^\\n])' : '(?=\\n?(?![^]))';
      case 'text start':
        return '(?<![^])';
      case 'text end':
        return '(?![^])';
      case 'boundary': {
        const inside = `[${insideOf('backtracking', 'w', node.flags.a)}]`;
        return node.isNegated
          ? `(?:(?<=${inside})(?=${inside})|(?<!${inside})(?!${inside})(?:(?<=[^])|(?=[^])))`
          : `(?:(?<=${inside})(?!${inside})|(?<!${inside})(?=${inside}))`;
      }
      case 'look':
        return `(?${node.isBehind ? '<' : ''}${node.isNegated ? '!' : '='}${this.text(node.body)})`;
      case 'reference':
        return this.#cased(`(?:\\${String(node.index + this.#firstGroup)})`, node.flags);
      default:
        throw new Unspeakable();
    }
  }
}

export interface Translated {
  /** For the engine that is linear; undefined where it cannot say it. */
  readonly linear: string | undefined;
  readonly backtracking: string;
  /** The linear engine's words are ASCII: it is right only for texts without other letters. */
  readonly isOfAsciiWords: boolean;
  /** The linear engine finds the inside of a word in an empty text, and Python does not. */
  readonly isOfInsides: boolean;
  /** `$` is the end of the text to the linear engine: it is right only without a line end there. */
  readonly isOfLastLine: boolean;
  /**
   * Given where an empty match may come first although a longer one is there as well, which Python
   * finds next: only matches that are not empty. Its first group is the rest of the text.
   */
  readonly nonEmpty: string | undefined;
}

const isPlainEnd = (node: Node): boolean => node.type === 'end' && !node.flags.m;

/** The only "$" stands at the end: behind it nothing is read, so a line end may be read instead. */
function endsPlainly(node: Node): boolean {
  if (isPlainEnd(node)) return true;
  if (node.type === 'choice') {
    return node.branches.every((branch) => !holds(branch, isPlainEnd) || endsPlainly(branch));
  }
  if (node.type !== 'sequence') return false;
  const last = node.items.at(-1);
  return (
    last !== undefined &&
    endsPlainly(last) &&
    !node.items.slice(0, -1).some((item) => holds(item, isPlainEnd))
  );
}

function linearText(node: Node, endText?: string): string | undefined {
  try {
    return new Emitter('linear', endText).text(node);
  } catch (error) {
    if (error instanceof Unspeakable) return undefined;
    throw error;
  }
}

const isChoosing = (node: Node): boolean =>
  (node.type === 'choice' && node.branches.length > 1) || (node.type === 'repeat' && node.isLazy);

/** A pattern in the words of both engines. `use`: whether somebody asks what is found. */
export function translate({ node }: Pattern, use: 'test' | 'find'): Translated {
  const hasEnd = holds(node, isPlainEnd);
  const canReadOn = use === 'test' && hasEnd && endsPlainly(node);
  return {
    linear: linearText(node, canReadOn ? `(?:${hex('linear', 10)}?\\z)` : undefined),
    backtracking: new Emitter('backtracking').text(node),
    isOfAsciiWords: holds(node, (one) => one.type === 'boundary' && !one.flags.a),
    isOfInsides: holds(node, (one) => one.type === 'boundary' && one.isNegated),
    isOfLastLine: hasEnd && !canReadOn,
    nonEmpty:
      use === 'find' && widthOf(node).least === 0 && holds(node, isChoosing)
        ? `(?=([^]*))${new Emitter('backtracking', undefined, 1).text(node)}(?!\\1(?![^]))`
        : undefined,
  };
}
