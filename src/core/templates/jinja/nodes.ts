/** What the parser makes of a template: the tree of Jinja2 itself, without what is refused by name. */
export type Expression =
  | { readonly type: 'Const'; readonly value: unknown }
  | { readonly type: 'Name'; readonly name: string }
  | { readonly type: 'Tuple'; readonly items: readonly Expression[] }
  | { readonly type: 'List'; readonly items: readonly Expression[] }
  | { readonly type: 'Dict'; readonly pairs: readonly Pair[] }
  | { readonly type: 'Attribute'; readonly object: Expression; readonly name: string }
  | { readonly type: 'Item'; readonly object: Expression; readonly key: Expression }
  | { readonly type: 'Slice'; readonly object: Expression; readonly bounds: Bounds }
  | { readonly type: 'Call'; readonly callee: Expression; readonly args: Arguments }
  | FilterNode
  | {
      readonly type: 'Test';
      readonly operand: Expression;
      readonly name: string;
      readonly args: Arguments;
    }
  | { readonly type: 'Not'; readonly operand: Expression }
  | { readonly type: 'Sign'; readonly sign: '-' | '+'; readonly operand: Expression }
  | {
      readonly type: 'Arithmetic';
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly type: 'Concat'; readonly items: readonly Expression[] }
  | { readonly type: 'Compare'; readonly first: Expression; readonly rest: readonly Comparison[] }
  | { readonly type: 'And' | 'Or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly type: 'Condition';
      readonly test: Expression;
      readonly yes: Expression;
      readonly no: Expression | undefined;
    };

export type Operator = '+' | '-' | '*' | '/' | '//' | '%' | '**';
export type Comparator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';

export interface Pair {
  readonly key: Expression;
  readonly value: Expression;
}

export interface Comparison {
  readonly operator: Comparator;
  readonly operand: Expression;
}

export interface Bounds {
  readonly start: Expression | undefined;
  readonly stop: Expression | undefined;
  readonly step: Expression | undefined;
}

export interface Arguments {
  readonly positional: readonly Expression[];
  readonly named: readonly { readonly name: string; readonly value: Expression }[];
}

export interface FilterNode {
  readonly type: 'Filter';
  /** Undefined: the text of the block that it stands at. */
  readonly operand: Expression | undefined;
  readonly name: string;
  readonly args: Arguments;
}

/** What a value is given to. */
export type Target =
  | { readonly type: 'Name'; readonly name: string }
  | { readonly type: 'Member'; readonly name: string; readonly member: string }
  | { readonly type: 'Targets'; readonly targets: readonly Target[] };

export interface Parameter {
  readonly name: string;
  readonly fallback: Expression | undefined;
}

export type Statement =
  | { readonly type: 'Text'; readonly text: string }
  | { readonly type: 'Print'; readonly value: Expression }
  | {
      readonly type: 'If';
      readonly branches: readonly { readonly test: Expression; readonly body: Block }[];
      readonly otherwise: Block;
    }
  | {
      readonly type: 'For';
      readonly target: Target;
      readonly iterable: Expression;
      readonly filter: Expression | undefined;
      readonly body: Block;
      readonly otherwise: Block;
    }
  | { readonly type: 'Set'; readonly target: Target; readonly value: Expression }
  | {
      readonly type: 'SetBlock';
      readonly target: Target;
      readonly filter: FilterNode | undefined;
      readonly body: Block;
    }
  | {
      readonly type: 'With';
      readonly assignments: readonly { readonly target: Target; readonly value: Expression }[];
      readonly body: Block;
    }
  | { readonly type: 'FilterBlock'; readonly filter: FilterNode; readonly body: Block }
  | MacroNode
  | {
      readonly type: 'CallBlock';
      readonly call: Expression & { readonly type: 'Call' };
      readonly parameters: readonly Parameter[];
      readonly body: Block;
    };

export interface MacroNode {
  readonly type: 'Macro';
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: Block;
}

export type Block = readonly Statement[];
