import { stringifyJson } from '../../core/http/json.ts';

/**
 * JSON that is text already: values and configs go from the database into answers without being
 * parsed, which is fast and keeps every digit.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object whose own fields may be `JsonText` or lists of them. Undefined fields are left out. */
export function jsonObject(fields: Readonly<Record<string, unknown>>): JsonText {
  const parts: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (field !== undefined) parts.push(`${JSON.stringify(name)}:${fieldText(field)}`);
  }
  return new JsonText(`{${parts.join(',')}}`);
}

function fieldText(field: unknown): string {
  if (field instanceof JsonText) return field.text;
  if (Array.isArray(field) && field[0] instanceof JsonText) {
    return `[${(field as JsonText[]).map(({ text }) => text).join(',')}]`;
  }
  // The lossless writer costs more and only objects can hold what needs it.
  return typeof field === 'object' && field !== null ? stringifyJson(field) : JSON.stringify(field);
}
