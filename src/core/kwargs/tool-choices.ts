import type { ChosenModel, Family } from './family.ts';
import { familyOf } from './family.ts';

export type ToolChoiceWord = 'auto' | 'none' | 'required';

export interface ToolChoices {
  readonly words: readonly ToolChoiceWord[];
  /** Whether one function can be demanded by its name. */
  readonly takesName: boolean;
}

const all: ToolChoices = { words: ['auto', 'none', 'required'], takesName: true };

/** Families whose APIs have no way to say some of it. */
const fewer: Partial<Readonly<Record<Family, ToolChoices>>> = {
  bedrock: { words: ['auto', 'required'], takesName: true },
  cohere: { words: ['auto', 'none', 'required'], takesName: false },
};

/** How a model can be told whether it is to call tools. */
export const toolChoicesOf = (model: Pick<ChosenModel, 'provider' | 'name'>): ToolChoices =>
  fewer[familyOf(model)] ?? all;
