import { isNativeError } from 'node:util/types';
import vm from 'node:vm';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isMapping } from '../../core/mapping.ts';
import { fillSchema } from '../../core/templates/schema-variables.ts';
import { shortened } from '../../core/shortened.ts';
import type { SchemaVerdict } from '../../protocol/run.ts';
import type { Translate } from '../shell/translate.ts';

/** A schema may come from anybody: a pattern in it that backtracks for ever must not stop VS Code. */
const patienceMs = 1000;
const longestText = 300;
const longestName = 80;

/** Those of the time limit are from another realm. */
const wordsOf = (error: unknown): string => (isNativeError(error) ? error.message : String(error));

/** What is wrong, without the place. Words of the validator where we have none of our own. */
function problemOf({ keyword, params, message = '' }: ErrorObject, t: Translate): string {
  const { type, allowedValues } = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'required':
      return t('is missing');
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return t("isn't in the schema");
    case 'type':
      return t('must be of the type {0}', String(type).replaceAll(',', ', '));
    case 'enum':
      return t('must be one of {0}', JSON.stringify(allowedValues).slice(1, -1));
    default:
      return message;
  }
}

/** `/items/0/name`; `/` is the answer itself. */
function placeOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Readonly<
    Record<string, unknown>
  >;
  const name = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const place = typeof name === 'string' ? `${instancePath}/${name}` : instancePath;
  return place === '' ? '/' : place;
}

/** Runs what may not come to an end. Errors: those of `work`, and one that says that it took too long. */
export function inTime<Result>(work: () => Result): Result {
  return vm.runInNewContext('work()', { work }, { timeout: patienceMs }) as Result;
}

/** Whether `inTime` has given up. */
export const tookTooLong = (error: unknown): boolean =>
  isNativeError(error) && 'code' in error && /TIMEOUT/.test(String(error.code));

/** The schema as the model is given it. */
export const filledSchema = (
  schema: unknown,
  variables: Readonly<Record<string, unknown>>,
): unknown => fillSchema(schema, variables, ['response_format']);

/** An answer that is whole, as text, against the schema that the model was given. */
export function checkAnswer(text: string, schema: unknown, t: Translate): SchemaVerdict {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    return { kind: 'notJson', text: shortened(wordsOf(error), longestText) };
  }
  // Which draft it names decides little, and only one draft's own schema is here.
  const plain: unknown = isMapping(schema)
    ? Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'))
    : schema;
  let first: ErrorObject | undefined;
  try {
    // An own one each time: what a schema calls itself stays with it.
    const ajv = new Ajv2020({ strict: false, logger: false });
    first = inTime(() => {
      const fits = ajv.compile(plain as object);
      return fits(answer) ? undefined : (fits.errors?.[0] ?? undefined);
    });
  } catch (error) {
    const words = tookTooLong(error) ? t('checking takes too long') : wordsOf(error);
    return { kind: 'unusable', text: shortened(words, longestText) };
  }
  if (first === undefined) return { kind: 'fits' };
  const place = shortened(placeOf(first), longestName);
  return { kind: 'differs', text: `${place} ${shortened(problemOf(first, t), longestText)}` };
}
