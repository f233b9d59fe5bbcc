import type { ValidationDetail } from './problem.ts';

/** Fields that hold what things are called, which lists show. */
const naming = new Set([
  ...['title', 'name', 'label', 'label_name', 'release_labels', 'tags', 'prompt_name'],
  ...['workflow_name', 'workflow_label_name', 'external_id', 'source'],
]);
/** What belongs to whoever sent it, whatever its keys are. */
const free = new Set([
  ...['metadata', 'input_variables', 'value', 'values', 'parameters', 'kwargs', 'request_response'],
  // A trace is kept, with signs for what can't be: nobody would send it again.
  'spans',
]);
/** Names of ours stand near the top; what is deeper belongs to whoever sent it. */
const DEEPEST = 2;

const faultIn = (text: string): string | undefined => {
  if (text.includes('\0')) return 'holds a NUL character (U+0000)';
  return text.isWellFormed()
    ? undefined
    : "holds half of a surrogate pair, which isn't a character";
};

/**
 * Names that can't be stored and shown as they are. In values such characters stay, as JSON writes
 * them; a name with one would come back as another name.
 */
export function unfitNames(sent: unknown): readonly ValidationDetail[] {
  const found: ValidationDetail[] = [];
  const look = (value: unknown, loc: readonly (string | number)[], depth: number): void => {
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) look(item, [...loc, at], depth);
      return;
    }
    const key = loc.findLast((step) => typeof step === 'string') ?? '';
    if (typeof value === 'string') {
      const fault = naming.has(key) ? faultIn(value) : undefined;
      if (fault !== undefined) {
        found.push({ loc, msg: `The text ${fault}. Take it out.`, type: 'value_error' });
      }
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
