/**
 * What may reach over blank lines or say something of a text elsewhere: definitions of links, and
 * HTML that ends only at a mark of its own.
 */
const reaching = /^ {0,3}\[[^\]\n]+\]:|<(?:!--|\?|![a-z[]|pre\b|script\b|style\b|textarea\b)/i;
const fence = /^( {0,3})(`{3,}|~{3,})(.*)$/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?! )| |$)/;
const html = /^ {0,3}<[a-z/]/i;
/** After a blank line nothing that came before goes on in a line like these. */
const beginning = /^(?:\p{L}|#{1,6} )/u;

/**
 * Markdown that comes in pieces, cut into sections that mean the same each for itself, so that what
 * is there need not be read again. A section ends as soon as its end is certain.
 */
export class SectionReader {
  /** The section that has not ended, and in it the line that is read next. */
  #rest = '';
  #lineAt = 0;
  /** Half a line end. */
  #held = '';
  /** The marks of the block of code that is open. */
  #open: string | undefined;
  #isAfterBlank = true;
  /** How far what belongs to the items of the list is indented, at least and at most. */
  #list: { readonly least: number; readonly most: number } | undefined;
  #isInHtml = false;
  #hasReaching = false;

  /** The sections that have ended with this text. */
  read(text: string): readonly string[] {
    const come = this.#held + text;
    this.#held = come.endsWith('\r') ? '\r' : '';
    const searched = this.#rest.length;
    this.#rest += come.slice(0, come.length - this.#held.length).replace(/\r\n?/g, '\n');
    const ends: number[] = [];
    let newline = this.#rest.indexOf('\n', Math.max(searched, this.#lineAt));
    for (; newline >= 0; newline = this.#rest.indexOf('\n', this.#lineAt)) {
      const end = this.#endWith(this.#rest.slice(this.#lineAt, newline), newline + 1);
      if (end !== undefined && end > (ends.at(-1) ?? 0)) ends.push(end);
      this.#lineAt = newline + 1;
    }
    const sections = ends.map((end, at) => this.#rest.slice(ends[at - 1] ?? 0, end));
    const cut = ends.at(-1) ?? 0;
    this.#rest = this.#rest.slice(cut);
    this.#lineAt -= cut;
    return sections;
  }

  /** What has not ended yet. */
  get rest(): string {
    return this.#rest;
  }

  /** The rest is a block of code, and nothing else. */
  get isCode(): boolean {
    return this.#open !== undefined && !this.#hasReaching;
  }

  /** Something says what other sections mean: they have to be read together in the end. */
  get hasReaching(): boolean {
    return this.#hasReaching;
  }

  /** Where a section ends because of this line, which is followed by the character at `next`. */
  #endWith(line: string, next: number): number | undefined {
    if (this.#hasReaching) return undefined;
    if (this.#open !== undefined) {
      if (!this.#closes(line, this.#open)) return undefined;
      this.#open = undefined;
      this.#isAfterBlank = true;
      return next;
    }
    const wasAfterBlank = this.#isAfterBlank;
    this.#isAfterBlank = line.trim() === '';
    if (this.#isAfterBlank) {
      this.#isInHtml = false;
      return undefined;
    }
    const code = this.#opens(line);
    if (code !== undefined) return this.#beginCode(code);
    if (reaching.test(line)) {
      this.#hasReaching = true;
      return undefined;
    }
    if (html.test(line)) this.#isInHtml = true;
    const item = listItem.exec(line)?.[0].length;
    if (item !== undefined) {
      const { least, most } = this.#list ?? { least: item, most: item };
      this.#list = { least: Math.min(least, item), most: Math.max(most, item) };
    } else if (wasAfterBlank && !line.startsWith(' ') && !line.startsWith('\t')) {
      this.#list = undefined;
    }
    return wasAfterBlank && beginning.test(line) ? this.#lineAt : undefined;
  }

  /** The marks of a block of code that begins here, but not inside of a list: it ends with the list. */
  #opens(line: string): { readonly marks: string; readonly isSure: boolean } | undefined {
    const [, { length: indent } = '', marks, rest = ''] = fence.exec(line) ?? [];
    if (marks === undefined || (marks.startsWith('`') && rest.includes('`'))) return undefined;
    const { least, most } = this.#list ?? { least: Infinity, most: Infinity };
    return indent >= most ? undefined : { marks, isSure: indent < least && !this.#isInHtml };
  }

  #closes(line: string, open: string): boolean {
    const [, , marks, rest = ''] = fence.exec(line) ?? [];
    return marks?.startsWith(open) === true && rest.trim() === '';
  }

  #beginCode({ marks, isSure }: { marks: string; isSure: boolean }): number | undefined {
    if (!isSure) {
      // Whether it is code there depends on the kind of HTML, or on the item of the list.
      this.#hasReaching = true;
      return undefined;
    }
    this.#list = undefined;
    this.#open = marks;
    return this.#lineAt;
  }
}
