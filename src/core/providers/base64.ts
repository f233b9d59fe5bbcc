const blockBytes = 0x8000;

/** Bytes as base64; without Node's Buffer, so in a web worker too. */
export function base64Of(bytes: Uint8Array): string {
  const letters: string[] = [];
  for (let at = 0; at < bytes.length; at += blockBytes) {
    letters.push(String.fromCharCode(...bytes.subarray(at, at + blockBytes)));
  }
  return btoa(letters.join(''));
}

const isBase64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/** Two base64 texts as one; the first may end in padding, in the middle of the bytes. */
export function joinBase64(before: string, more: string): string {
  const end = before.slice(-4);
  if (!end.endsWith('=') || !isBase64.test(end) || !isBase64.test(more)) return before + more;
  return before.slice(0, -4) + btoa(atob(end) + atob(more));
}

const dataUrl = /^data:([^;,]*)(?:;[^,]*)?;base64,/i;

/** `data:image/png;base64,...` -> its type and the base64; another URL as it is. */
export function mediaOf(url: string): {
  readonly url: string;
  readonly mimeType: string | undefined;
} {
  const head = dataUrl.exec(url.slice(0, 200));
  return head === null
    ? { url, mimeType: undefined }
    : { url: url.slice(head[0].length), mimeType: head[1] === '' ? undefined : head[1] };
}
