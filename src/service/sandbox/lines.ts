/** Puts lines together from the parts in which a stream brings them. */
export class Lines {
  #parts: string[] = [];
  /** Characters of the line that has not ended yet. */
  openLength = 0;

  /** The lines that end in this part. */
  add(part: string): string[] {
    const lines = part.split('\n');
    const rest = lines.pop() ?? '';
    const [first] = lines;
    if (first !== undefined) {
      lines[0] = this.#parts.join('') + first;
      this.#parts = [];
      this.openLength = 0;
    }
    this.#parts.push(rest);
    this.openLength += rest.length;
    return lines;
  }
}
