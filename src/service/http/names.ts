import { isSeen } from '../../api/seen-text.ts';
import type { ValidationDetail } from './problem.ts';

/** Fields that hold what things are called, which lists show. */
const naming = new Set([
  ...['title', 'name', 'label', 'label_name', 'release_labels', 'tags', 'prompt_name'],
  ...['workflow_name', 'workflow_label_name', 'external_id', 'source'],
]);
/** What a thing is called from now on, and not only where it is looked for. */
const given = new Set(['title', 'name', 'label', 'label_name', 'release_labels']);
/** What belongs to whoever sent it, whatever its keys are. */
const free = new Set([
  ...['metadata', 'input_variables', 'value', 'values', 'parameters', 'kwargs', 'request_response'],
  // A trace is kept, with signs for what can't be: nobody would send it again.
  'spans',
]);
/** Names of ours stand near the top; what is deeper belongs to whoever sent it. */
const DEEPEST = 2;

const isGiven = (loc: readonly (string | number)[], key: string): boolean =>
  given.has(key) || (key === 'prompt_name' && loc.includes('prompt_template'));

function faultIn(loc: readonly (string | number)[], text: string): string | undefined {
  const key = String(loc.findLast((step) => typeof step === 'string'));
  if (!naming.has(key)) return undefined;
  if (text.includes('\0')) return 'The text holds a NUL character (U+0000). Take it out.';
  if (!text.isWellFormed()) {
    return "The text holds half of a surrogate pair, which isn't a character. Take it out.";
  }
  // Whether it may be empty, its schema says.
  return isGiven(loc, key) && text !== '' && !isSeen(text)
    ? 'The text holds no character that can be seen. Enter a name.'
    : undefined;
}

/**
 * Names that can't be stored and shown as they are, or that nobody could see. In values such characters stay, as JSON writes
 * them; a name with one would come back as another name.
 */
export function unfitNames(sent: unknown): readonly ValidationDetail[] {
  const found: ValidationDetail[] = [];
  const look = (value: unknown, loc: readonly (string | number)[], depth: number): void => {
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) look(item, [...loc, at], depth);
      return;
    }
    if (typeof value === 'string') {
      const msg = faultIn(loc, value);
      if (msg !== undefined) found.push({ loc, msg, type: 'value_error' });
      return;
    }
    if (typeof value !== 'object' || value === null || depth === DEEPEST) return;
    for (const [name, item] of Object.entries(value)) {
      if (!free.has(name)) look(item, [...loc, name], depth + 1);
    }
  };
  look(sent, ['body'], 0);
  return found;
}
