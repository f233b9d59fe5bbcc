/** Kinds of letters: `\d`, `\s`, `\w`, and the same in ASCII only. */
export type Letters = 'd' | 's' | 'w';

export type ClassItem =
  | { readonly type: 'range'; readonly low: number; readonly high: number }
  | { readonly type: 'letters'; readonly letters: Letters; readonly isNegated: boolean };

export type Node =
  | { readonly type: 'sequence'; readonly items: readonly Node[] }
  | { readonly type: 'choice'; readonly branches: readonly Node[] }
  | { readonly type: 'letter'; readonly code: number; readonly flags: Flags }
  | { readonly type: 'any'; readonly flags: Flags }
  | {
      readonly type: 'class';
      readonly items: readonly ClassItem[];
      readonly isNegated: boolean;
      readonly flags: Flags;
    }
  | { readonly type: 'start' | 'end'; readonly flags: Flags }
  | { readonly type: 'text start' | 'text end' }
  | { readonly type: 'boundary'; readonly isNegated: boolean; readonly flags: Flags }
  | { readonly type: 'group'; readonly index: number; readonly body: Node }
  | {
      readonly type: 'look';
      readonly isBehind: boolean;
      readonly isNegated: boolean;
      readonly body: Node;
    }
  | { readonly type: 'reference'; readonly index: number; readonly flags: Flags }
  | {
      readonly type: 'repeat';
      readonly body: Node;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
    };

export interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly x: boolean;
  readonly a: boolean;
}

export interface Pattern {
  readonly node: Node;
  readonly groupCount: number;
}

/** What Python says of a pattern that it refuses, or what of Python's is not done here. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

export function childrenOf(node: Node): readonly Node[] {
  switch (node.type) {
    case 'sequence':
      return node.items;
    case 'choice':
      return node.branches;
    case 'group':
    case 'look':
    case 'repeat':
      return [node.body];
    default:
      return [];
  }
}

/** Whether something in it, or itself, is of that kind. */
export const holds = (node: Node, is: (node: Node) => boolean): boolean =>
  is(node) || childrenOf(node).some((child) => holds(child, is));

/** How many letters it takes, at least and at most. */
export function widthOf(node: Node): { readonly least: number; readonly most: number } {
  switch (node.type) {
    case 'letter':
    case 'any':
    case 'class':
      return { least: 1, most: 1 };
    case 'sequence': {
      const widths = node.items.map(widthOf);
      return {
        least: widths.reduce((sum, { least }) => sum + least, 0),
        most: widths.reduce((sum, { most }) => sum + most, 0),
      };
    }
    case 'choice': {
      const widths = node.branches.map(widthOf);
      return {
        least: Math.min(...widths.map(({ least }) => least)),
        most: Math.max(...widths.map(({ most }) => most)),
      };
    }
    case 'group':
      return widthOf(node.body);
    case 'repeat': {
      const { least, most } = widthOf(node.body);
      return { least: least * node.least, most: most === 0 ? 0 : most * node.most };
    }
    case 'reference':
      return { least: 0, most: Number.POSITIVE_INFINITY };
    default:
      return { least: 0, most: 0 };
  }
}
