import * as z from 'zod';
import { mostTokens, usualTokens } from './budget.ts';

/** Inputs that several tools have. */
export const workspaceField = {
  workspace: z
    .string()
    .optional()
    .describe('Name or id of the workspace. Left out: the one in use.'),
};

export const sheetFields = {
  ...workspaceField,
  table: z.string().min(1).describe('Title or id of the table.'),
  sheet: z
    .string()
    .optional()
    .describe('Title or id of the sheet. May be left out when the table has only one.'),
};

export const tokensField = {
  max_tokens: z
    .int()
    .min(200)
    .max(mostTokens)
    .default(usualTokens)
    .describe('About how many tokens the answer may have.'),
};
