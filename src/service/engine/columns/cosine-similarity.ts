import * as z from 'zod';
import { CellProblem } from '../problem.ts';
import { Metered } from '../prompts.ts';
import { defineColumn, sourceNames } from './column-kind.ts';
import { numberOf } from './decimal.ts';
import { jsonFromText, toText, type Json } from './json.ts';
import { pair } from './pair.ts';
import type { NamedValue } from './sources.ts';

const DIGITS = 6;

/** A list of numbers, also as the text of one, is a vector already. */
function vectorOf(value: Json): readonly number[] | undefined {
  let list = value;
  if (typeof value === 'string' && /^\s*\[\s*-?\d/.test(value)) {
    try {
      list = jsonFromText(value);
    } catch {
      // It only looks like one: a text like any other.
      return undefined;
    }
  }
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const numbers = list.map(numberOf);
  return numbers.every((number) => number !== null) ? numbers : undefined;
}

/**
 * From 0 (nothing in common) to 1 (the same direction); vectors that point away from each other have
 * nothing in common either.
 */
export function likeness(left: readonly number[], right: readonly number[]): number {
  if (left.length !== right.length) {
    throw new CellProblem(
      'invalid_input',
      `The two vectors have ${String(left.length)} and ${String(right.length)} numbers; only vectors of the same length can be compared.`,
    );
  }
  // By the largest number first, so that no square is too large.
  const largest = (most: number, number: number): number => Math.max(most, Math.abs(number));
  const scale = right.reduce(largest, left.reduce(largest, 0)) || 1;
  let product = 0;
  let leftSquare = 0;
  let rightSquare = 0;
  for (const [at, number] of left.entries()) {
    const one = number / scale;
    const other = (right[at] ?? 0) / scale;
    product += one * other;
    leftSquare += one * one;
    rightSquare += other * other;
  }
  if (leftSquare === 0 || rightSquare === 0) return 0;
  const cosine = product / (Math.sqrt(leftSquare) * Math.sqrt(rightSquare));
  return Number(Math.min(1, Math.max(0, cosine)).toFixed(DIGITS));
}

function textOf({ title, value }: NamedValue): string {
  const text = toText(value);
  if (text.trim() !== '') return text;
  throw new CellProblem(
    'invalid_input',
    `Column "${title}" is empty in this row; there is nothing to compare.`,
  );
}

/** How alike two texts (by an embedding model) or two vectors are: 0 to 1. */
export const cosineSimilarity = defineColumn(
  'COSINE_SIMILARITY',
  z.looseObject({ sources: sourceNames(2, 2) }),
  () => ({
    slow: true,
    compute: async (sources, { prompts, callContext, signal, onBegin }) => {
      const [left, right] = pair(sources.many('sources'));
      const vectors = [vectorOf(left.value), vectorOf(right.value)] as const;
      if (vectors[0] && vectors[1]) return likeness(vectors[0], vectors[1]);
      const texts = [textOf(left), textOf(right)] as const;
      if (texts[0] === texts[1]) return 1;
      if (prompts === undefined) {
        throw new CellProblem('not_supported', "This process doesn't call models.");
      }
      const found = await prompts.embed({ callContext, texts, signal, onBegin });
      return new Metered(likeness(found.vectors[0] ?? [], found.vectors[1] ?? []), found.metrics);
    },
  }),
);
