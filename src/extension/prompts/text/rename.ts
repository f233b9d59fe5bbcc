/** A variable of a prompt document that is called something else. */
import type { Translate } from '../../shell/translate.ts';
import { usedVariables } from './check.ts';
import type { Place } from './front-matter.ts';
import { variablesAt } from './names.ts';
import type { Reading } from './read.ts';
import { readText } from './read.ts';

export interface TextEdit extends Place {
  readonly text: string;
}

type Renaming = { readonly edits: readonly TextEdit[] } | { readonly refused: string };

const within = ({ from, to }: Place, offset: number): boolean => offset >= from && offset <= to;

/** The variable at a place of a text or of `input_variables`. */
export function variableAt(
  reading: Reading,
  offset: number,
): (Place & { readonly name: string }) | undefined {
  const here = reading.spans.flatMap(variablesAt).find((found) => within(found, offset));
  if (here !== undefined) return here;
  const [name, place] = [...reading.variables].find(([, each]) => within(each, offset)) ?? [];
  return name === undefined || place === undefined ? undefined : { ...place, name };
}

/** Words that YAML would not read as text. */
const isPlainName = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(name);

function editsOf(reading: Reading, text: string, before: string, after: string): TextEdit[] {
  const inTexts = reading.spans
    .flatMap(variablesAt)
    .filter(({ name }) => name === before)
    .map(({ from, to }): TextEdit => ({ from, to, text: after }));
  const declared = reading.variables.get(before);
  if (declared === undefined) return inTexts;
  const quote = /^["']/.exec(text.slice(declared.from, declared.to))?.[0];
  const mark = quote ?? (isPlainName(after) ? '' : '"');
  return [...inTexts, { ...declared, text: `${mark}${after}${mark}` }];
}

export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const backwards = edits.toSorted((one, other) => other.from - one.from);
  return backwards.reduce(
    (made, { from, to, text: put }) => made.slice(0, from) + put + made.slice(to),
    text,
  );
}

const renamed = (names: Iterable<string>, before: string, after: string): string =>
  [...new Set([...names].map((name) => (name === before ? after : name)))].sort().join(' ');

/** What the new text asks for is looked at before anything is changed: it must be the same otherwise. */
export function renameVariable(
  text: string,
  { before, after }: { readonly before: string; readonly after: string },
  t: Translate,
): Renaming {
  const reading = readText(text, t);
  if (reading.draft === undefined) {
    return { refused: t('The document has errors. Fix them first.') };
  }
  const used = usedVariables(reading.draft);
  const isJinja = reading.spans.some(({ format }) => format === 'jinja2');
  const isName = isJinja ? /^[A-Za-z_]\w*$/ : /^[A-Za-z0-9_]+$/;
  if (!isName.test(after)) {
    return { refused: t('"{0}" isn\'t a name for a variable: use letters, digits, and _.', after) };
  }
  if (used.has(after) || reading.variables.has(after)) {
    return { refused: t('The prompt already has a variable "{0}".', after) };
  }
  const edits = editsOf(reading, text, before, after);
  const made = readText(withEdits(text, edits), t);
  const isSame =
    made.draft !== undefined &&
    renamed(usedVariables(made.draft).keys(), after, after) ===
      renamed(used.keys(), before, after) &&
    renamed(made.front?.input_variables ?? [], after, after) ===
      renamed(reading.front?.input_variables ?? [], before, after);
  return isSame
    ? { edits }
    : {
        refused: t(
          'The prompt would need other variables, so nothing was changed: "{0}" is also used for something other than text, or "{1}" means something else in the template.',
          ...[before, after],
        ),
      };
}
