function trimmed(text: string, blanks: string): string {
  let [from, to] = [0, text.length];
  while (from < to && blanks.includes(text.charAt(from))) from += 1;
  while (to > from && blanks.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/**
 * A text without spaces around its line breaks, and without blanks around the whole. Patterns would
 * go through long runs of blanks again and again, and what is pasted comes from anywhere.
 */
export const withoutBlankEdges = (text: string): string =>
  trimmed(
    text
      .split('\n')
      .map((line) => trimmed(line, ' '))
      .join('\n'),
    ' \t\r\n',
  );
