import { isMapping } from '../mapping.ts';

/** `@@@name@@@`, `@@@name@version_number:3@@@` or `@@@name@label:prod@@@` inside a text. */
export interface SnippetReference {
  readonly name: string;
  readonly version: number | undefined;
  readonly label: string | undefined;
}

const reference = /@@@(.+?)@@@/gs;
const withVersion = /^(.+)@version_number:(\d+)$/s;
const withLabel = /^(.+)@label:(.+)$/s;

/** What stands between the two marks. */
export function snippetOf(inside: string): SnippetReference {
  const [, versioned, number] = withVersion.exec(inside) ?? [];
  if (versioned !== undefined) {
    return { name: versioned, version: Number(number), label: undefined };
  }
  const [, labelled, label] = withLabel.exec(inside) ?? [];
  if (labelled !== undefined) return { name: labelled, version: undefined, label };
  return { name: inside, version: undefined, label: undefined };
}

export const referencesIn = (text: string): SnippetReference[] =>
  [...text.matchAll(reference)].map(([, inside = '']) => snippetOf(inside));

/** Replaces each reference in a text; the new text is not looked at again. */
export const replaceReferences = (
  text: string,
  replace: (reference: SnippetReference) => string,
): string => text.replaceAll(reference, (_, inside: string) => replace(snippetOf(inside)));

/** A copy in which `change` has been applied to every text of every part of type text. */
export function mapTexts(template: unknown, change: (text: string) => string): unknown {
  if (Array.isArray(template)) return template.map((item) => mapTexts(item, change));
  if (!isMapping(template)) return template;
  const isTextPart =
    typeof template['text'] === 'string' && (template['type'] ?? 'text') === 'text';
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) => [
      key,
      isTextPart && key === 'text' ? change(value as string) : mapTexts(value, change),
    ]),
  );
}

/** Texts of a template may name snippets wherever they stand in a message or content. */
export function referencesOf(template: unknown): SnippetReference[] {
  const found = new Map<string, SnippetReference>();
  mapTexts(template, (text) => {
    for (const one of referencesIn(text)) {
      found.set(`${one.name}\n${String(one.version)}\n${String(one.label)}`, one);
    }
    return text;
  });
  return [...found.values()];
}
