/** Below this many characters a section is not worth a turn of its own. */
const least = 4000;

/**
 * What may reach over blank lines or say something of a text elsewhere: definitions of links, and
 * HTML that ends only at a mark of its own.
 */
const reaching = /^ {0,3}\[[^\]\n]+\]:|<(?:!--|\?|![a-z[]|pre\b|script\b|style\b|textarea\b)/im;
const fence = /^( {0,3})(`{3,}|~{3,})(.*)$/;
/** After a blank line nothing that came before goes on in a line like these. */
const beginning = /^(?:\p{L}|#{1,6} )/u;

/**
 * Markdown in pieces that mean the same each for itself, so that a long text can be made into
 * elements piece by piece. One piece where that cannot be told for certain.
 */
export function sectionsOf(text: string): readonly string[] {
  if (text.length < 2 * least || reaching.test(text)) return [text];
  const sections: string[] = [];
  let from = 0;
  let open: string | undefined;
  let isAfterBlank = false;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    const [, indent = '', marks, rest = ''] = fence.exec(line) ?? [];
    if (marks !== undefined) {
      // Where a fence inside of a list ends depends on the list.
      if (open === undefined && indent !== '') return [text];
      const isClosing =
        open !== undefined && marks.startsWith(open) && rest.trim() === '' && indent.length < 4;
      if (open === undefined) open = marks;
      else if (isClosing) open = undefined;
    } else if (open === undefined && isAfterBlank && at - from >= least && beginning.test(line)) {
      sections.push(text.slice(from, at));
      from = at;
    }
    isAfterBlank = line.trim() === '';
    at = end + 1;
  }
  sections.push(text.slice(from));
  return sections;
}
