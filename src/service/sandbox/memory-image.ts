const PAGE = 4096;
/** Of the 5 MB of the stack, which lies between the program's data and its heap. */
const STACK_GAP = 4 * 2 ** 20;

interface Part {
  readonly begin: number;
  readonly bytes: Uint8Array;
}

/**
 * The memory of a WebAssembly program as it was at one moment, to which it can be set back. Copied
 * are its data and its heap up to the last mark of its allocator, about 180 KB for QuickJS, in 10 µs.
 * What lies beyond the mark belongs to nobody until it is allocated again, as after any `free`, and
 * the stack is empty at that moment.
 */
export class MemoryImage {
  readonly #memory: WebAssembly.Memory;
  readonly #parts: readonly Part[];

  /** Taken while nothing of the program runs. */
  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
    this.#parts = usedParts(new Uint8Array(memory.buffer));
  }

  restore(): void {
    // The buffer is another one after the memory has grown.
    const all = new Uint8Array(this.#memory.buffer);
    for (const { begin, bytes } of this.#parts) all.set(bytes, begin);
  }
}

/** All up to the last page in use, but for the pages of the stack that were never used. */
function usedParts(all: Uint8Array): Part[] {
  const parts: Part[] = [];
  let begin = 0;
  let end = 0;
  for (let page = 0; page < all.length; page += PAGE) {
    if (all.subarray(page, page + PAGE).every((byte) => byte === 0)) continue;
    if (page - end >= STACK_GAP) {
      parts.push({ begin, bytes: all.slice(begin, end) });
      begin = page;
    }
    end = page + PAGE;
  }
  return [...parts, { begin, bytes: all.slice(begin, end) }];
}
