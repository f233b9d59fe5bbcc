import type { CancelledError } from './errors.ts';
import { describeError, hasErrorCode, isPromptTablesError } from './errors.ts';
import { UnsendableError } from './http/sendable.ts';
import type { Logger } from './logger.ts';

/** A group of methods whose failures are a logged warning and null, or `Otherwise` (deletes: false). */
export type Quiet<Group, Otherwise = null> = {
  readonly [Name in keyof Group]: Group[Name] extends (
    ...given: infer Given
  ) => Promise<infer Answer>
    ? (...given: Given) => Promise<Answer | (Name extends 'delete' ? false : Otherwise)>
    : Group[Name] extends (...given: never[]) => unknown
      ? Group[Name]
      : Quiet<Group[Name], Otherwise>;
};

/** Whether the failure is swallowed. Cancelling is what the caller wants; bugs must be seen. */
function isQuieted(error: unknown): error is Exclude<Error, CancelledError> {
  if (error instanceof UnsendableError) return false;
  return isPromptTablesError(error) && !hasErrorCode(error, 'cancelled');
}

async function settle(answer: Promise<unknown>, fallback: unknown, logger: Logger) {
  try {
    return await answer;
  } catch (error) {
    if (!isQuieted(error)) throw error;
    logger.warn(describeError(error));
    return fallback;
  }
}

async function* untilFailure(items: AsyncIterable<unknown>, logger: Logger) {
  try {
    yield* items;
  } catch (error) {
    if (!isQuieted(error)) throw error;
    logger.warn(describeError(error));
  }
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

function quietMethod(
  name: string,
  method: (...given: readonly unknown[]) => unknown,
  logger: Logger,
  otherwise: unknown,
) {
  return (...given: readonly unknown[]): unknown => {
    const answer = method(...given);
    if (answer instanceof Promise)
      return settle(answer, name === 'delete' ? false : otherwise, logger);
    return isAsyncIterable(answer) ? untilFailure(answer, logger) : answer;
  };
}

/** `throwOnError: false` for a whole group, nested groups included. */
export function makeQuiet<Group extends object>(group: Group, logger: Logger): Quiet<Group>;
export function makeQuiet<Group extends object, Otherwise>(
  group: Group,
  logger: Logger,
  otherwise: Otherwise,
): Quiet<Group, Otherwise>;
export function makeQuiet(group: object, logger: Logger, otherwise: unknown = null): object {
  const entries = Object.entries(group).map(([name, member]: [string, unknown]) => {
    if (typeof member === 'function') {
      const method = member as (...given: readonly unknown[]) => unknown;
      return [name, quietMethod(name, method, logger, otherwise)];
    }
    return [
      name,
      typeof member === 'object' && member !== null ? makeQuiet(member, logger, otherwise) : member,
    ];
  });
  return Object.fromEntries(entries) as object;
}
