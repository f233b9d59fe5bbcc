/** The beginning of a text: at most so many UTF-16 units, and never half of a character at the end. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? limit - 1 : limit);
}

/** The same, with an ellipsis where the text goes on. */
export const shortened = (text: string, limit: number): string =>
  text.length > limit ? `${cutText(text, limit)}…` : text;
