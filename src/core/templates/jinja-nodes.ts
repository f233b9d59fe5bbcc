import type { Token } from '@huggingface/jinja';
import { parse, tokenize } from '@huggingface/jinja';
import { NotFaithful } from './python-text.ts';

interface Operator {
  readonly value: string;
}

/** The nodes that are rendered here. The parser makes more; those are for the service. */
export type Node =
  | { readonly type: 'Identifier'; readonly value: string }
  | { readonly type: 'StringLiteral'; readonly value: string }
  | { readonly type: 'IntegerLiteral'; readonly value: number }
  | { readonly type: 'ArrayLiteral'; readonly value: readonly Node[] }
  | {
      readonly type: 'MemberExpression';
      readonly object: Node;
      readonly property: Node;
      readonly computed: boolean;
    }
  | { readonly type: 'CallExpression'; readonly callee: Node; readonly args: readonly Node[] }
  | { readonly type: 'FilterExpression'; readonly operand: Node; readonly filter: Node }
  | {
      readonly type: 'TestExpression';
      readonly operand: Node;
      readonly negate: boolean;
      readonly test: { readonly value: string };
    }
  | {
      readonly type: 'BinaryExpression';
      readonly operator: Operator;
      readonly left: Node;
      readonly right: Node;
    }
  | { readonly type: 'UnaryExpression'; readonly operator: Operator; readonly argument: Node }
  | {
      readonly type: 'Ternary';
      readonly condition: Node;
      readonly trueExpr: Node;
      readonly falseExpr: Node;
    }
  | {
      readonly type: 'SliceExpression';
      readonly start?: Node | undefined;
      readonly stop?: Node | undefined;
      readonly step?: Node | undefined;
    }
  | { readonly type: 'TupleLiteral'; readonly value: readonly Node[] }
  | { readonly type: 'Comment' }
  | {
      readonly type: 'If';
      readonly test: Node;
      readonly body: readonly Node[];
      readonly alternate: readonly Node[];
    }
  | {
      readonly type: 'For';
      readonly loopvar: Node;
      readonly iterable: Node;
      readonly body: readonly Node[];
      readonly defaultBlock: readonly Node[];
    }
  | {
      readonly type: 'Set';
      readonly assignee: Node;
      readonly value: Node | null;
      readonly body: readonly Node[];
    };

const keywords = new Set(
  'not in is and or if else elif endif for endfor set true false none True False None'.split(' '),
);
const ends = new Set(['NumericLiteral', 'StringLiteral', 'CloseParen', 'CloseSquareBracket']);
const starts = new Set(['NumericLiteral', 'StringLiteral']);

const isName = (token: Token): boolean => token.type === 'Identifier' && !keywords.has(token.value);

/** `[1 2]` and `f(a b)`: the parser takes them without a comma, Jinja refuses them. */
function lacksComma(before: Token, after: Token): boolean {
  if (before.type === 'StringLiteral' && after.type === 'StringLiteral') return false;
  return (isName(before) || ends.has(before.type)) && (isName(after) || starts.has(after.type));
}

/** Jinja refuses `007`. */
const isStrangeNumber = ({ type, value }: Token): boolean =>
  type === 'NumericLiteral' && /^[-+]?0\d/.test(value);

/** White space that Python and JavaScript see differently, and line ends that Jinja rewrites. */
const strangeSpace = /[^\P{Cc}\t\n]|[\ufeff\u180e]/u;

/** The nodes of a template's source. Throws NotFaithful where this parser reads it differently. */
export function parseJinja(source: string): readonly Node[] {
  if (strangeSpace.test(source) || /\{%[-+]?\s*(?:end)?generation\b/.test(source)) {
    throw new NotFaithful('The source holds something that is read differently here.');
  }
  try {
    const tokens = tokenize(source);
    tokens.forEach((token, index) => {
      const before = tokens[index - 1];
      if (isStrangeNumber(token) || (before !== undefined && lacksComma(before, token))) {
        throw new NotFaithful('Jinja refuses what this parser takes.');
      }
    });
    return parse(tokens).body as readonly Node[];
  } catch (error) {
    // The service knows more of Jinja, and says best what is wrong with the rest.
    if (error instanceof NotFaithful) throw error;
    throw new NotFaithful('The source was not understood.', { cause: error });
  }
}
