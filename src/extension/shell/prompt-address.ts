import * as z from 'zod';
import type {
  ModelName,
  ParameterText,
  PromptChoice,
  UnpublishedSource,
} from '../../protocol/run.ts';
import { Model, ModelChange, SentParameters, Unpublished } from './choice-schema.ts';

/** A prompt as the extension names it; without a choice it is the latest version. */
export interface PromptAddress {
  readonly connectionId: string;
  readonly promptName: string;
  readonly choice?: PromptChoice | undefined;
}

/** The model that an argument of a command asks for; undefined: that of the prompt. */
export const modelAskedOf = (given: unknown): ModelName | undefined =>
  z.object({ model: Model }).safeParse(given).data?.model;

/** The parameters that an argument of a command asks for in the place of the prompt's own. */
export const parametersAskedOf = (given: unknown): readonly ParameterText[] | undefined =>
  z.object({ parameters: SentParameters }).safeParse(given).data?.parameters;

/** What an argument of a command wants to change of a prompt's model. */
export const modelChangeIn = (given: unknown): ModelChange | undefined =>
  z.object({ change: ModelChange }).safeParse(given).data?.change;

/** Where the prompt stands that an argument of a command wants to run; undefined: in the registry. */
export const unpublishedIn = (given: unknown): UnpublishedSource | undefined =>
  z.object({ unpublished: Unpublished }).safeParse(given).data?.unpublished;

export const isPromptAddress = (value: unknown): value is PromptAddress =>
  typeof value === 'object' &&
  value !== null &&
  'connectionId' in value &&
  typeof value.connectionId === 'string' &&
  'promptName' in value &&
  typeof value.promptName === 'string';

/** In the form that `templates.get` and `run` take. */
export const versionOf = (
  choice: PromptChoice | undefined,
): { readonly version?: number; readonly label?: string } => {
  switch (choice?.kind) {
    case 'version':
      return { version: choice.version };
    case 'label':
      return { label: choice.label };
    case 'latest':
    case undefined:
      return {};
  }
};
