/** The beginning of a text, with an ellipsis where it goes on; never half of a character. */
export const shortened = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : text;
