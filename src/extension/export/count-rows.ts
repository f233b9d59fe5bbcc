/** Counts the rows in the bytes of a file as they pass; undefined: that can't be seen from them. */
export function rowCounter(format: string): ((piece: Uint8Array) => number) | undefined {
  switch (format) {
    case 'csv':
      return lines({ quote: 0x22, before: 1 });
    case 'jsonl':
      return lines({ before: 0 });
    case 'json':
      // The brackets have lines of their own.
      return lines({ before: 2 });
    default:
      return undefined;
  }
}

const LINE_FEED = 0x0a;

function lines({ quote, before }: { readonly quote?: number; readonly before: number }) {
  let ends = 0;
  let isQuoted = false;
  return (piece: Uint8Array): number => {
    for (const byte of piece) {
      if (byte === quote) isQuoted = !isQuoted;
      else if (byte === LINE_FEED && !isQuoted) ends += 1;
    }
    return Math.max(0, ends - before);
  };
}
