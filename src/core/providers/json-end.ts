/** Follows the JSON text of an object or list that comes in pieces, and tells whether it is complete. */
export class JsonEnd {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #hasBegun = false;

  get isComplete(): boolean {
    return this.#hasBegun && this.#depth === 0 && !this.#isInText;
  }

  add(piece: string): void {
    for (const character of piece) this.#take(character);
  }

  #take(character: string): void {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#isInText = false;
      return;
    }
    if (character === '"') this.#isInText = true;
    else if (character === '{' || character === '[') {
      this.#depth += 1;
      this.#hasBegun = true;
    } else if (character === '}' || character === ']') this.#depth -= 1;
  }
}
