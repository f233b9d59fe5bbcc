/** Texts that arrive when they like, for a reader that takes them one by one. */
export class Inbox implements AsyncIterable<string> {
  readonly #waiting: string[] = [];
  #end: { readonly error: Error | undefined } | undefined;
  #wake: () => void = () => undefined;

  push(text: string): void {
    if (this.#end !== undefined) return;
    this.#waiting.push(text);
    this.#wake();
  }

  /** Nothing more comes. With an error the reader gets it after what is still waiting. */
  end(error?: Error): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for (;;) {
      const text = this.#waiting.shift();
      if (text !== undefined) {
        yield text;
      } else if (this.#end !== undefined) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
