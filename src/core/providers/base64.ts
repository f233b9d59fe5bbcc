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

/** The UTF-8 text in base64; as lenient as Node's Buffer, which web workers do not have. */
export function textOfBase64(base64: string): string {
  const plain = base64
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replaceAll(/[^A-Za-z0-9+/]/g, '');
  const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain;
  const bytes = Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

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
