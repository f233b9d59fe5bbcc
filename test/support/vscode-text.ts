/** What VS Code reads out of a text that it is given to show, and texts that try to be read so. */
import fc from 'fast-check';

/** As VS Code finds links: src/vs/base/common/linkedText.ts, the same in 1.110 and 1.139. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
/** As it finds icons: src/vs/base/browser/ui/iconLabel/iconLabels.ts, src/vs/base/common/iconLabels.ts. */
const icon = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g;
const filterIcon = /\$\([A-Za-z0-9~-]+\)/g;

/** What a notification makes of its text before it looks for links: notifications.ts, 1,000 characters. */
const asNotification = (text: string): string =>
  (text.length > 1000 ? `${text.slice(0, 1000)}...` : text).replace(/\r\n|\n|\r/gm, ' ').trim();

/** The links and icons that it finds. */
export const meaningsIn = (text: string): readonly string[] =>
  [text, asNotification(text)].flatMap((shown) =>
    [link, icon, filterIcon].flatMap((kind) => shown.match(kind) ?? []),
  );

const dangerous = fc.constantFrom(
  ...['[', ']', '(', ')', '](', '$', '$(', '\\', '~', '-', ' ', '  ', '"', "'", '<', '>', '`', '*'],
  ...['command:', 'COMMAND:', 'https://', 'http://e.x', 'file:', 'vscode://a', '?[{"a":1}]', ':'],
  ...['$(x)', '$(sync~spin)', '[a](command:b)', '\\$(trash)', '[a](https://b "c")', 'a', 'Z', '9'],
  ...['\n', '\r\n', '\r', '\t', '\0', '\u001b[31m', '\u0007', '\u0085', '\u2028', '\u00a0'],
  ...['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u202e', '\u2066', '\u200f'],
  ...['\ud800', '\udc00', '\u{e0041}', '\u3164', '\u0301', 'é', '漢', '👩‍🚀', '…'],
);
/** Made of what is dangerous alone or beside something else. */
export const hostileText = fc.array(dangerous, { maxLength: 40 }).map((parts) => parts.join(''));
