const mostCharacters = 1024;

/**
 * The words of a failure, as long as the log of requests takes them: 1,024 UTF-16 units, which are
 * never more characters however they are counted. Half a pair is no text.
 */
export function loggedWords(text: string): string {
  if (text.length <= mostCharacters) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(mostCharacters - 1))
    ? mostCharacters - 1
    : mostCharacters;
  return text.slice(0, end);
}
