import { earlyScript } from '../../protocol/early.ts';

export interface PageParts {
  readonly cspSource: string;
  readonly nonce: string;
  /** The text of the bundle's script, and of its style. */
  readonly script: string;
  readonly style: string;
  /** Address of the script's file: what it loads later is beside it, and so is its source map. */
  readonly address: string;
  /** The display language of VS Code. */
  readonly language: string;
  /** Translations by the English text; undefined in English. */
  readonly texts: Readonly<Record<string, string>> | undefined;
  readonly title: string;
  /** Id of the one element that the script fills. */
  readonly rootId: string;
  /** Attributes of the body: readable in the page, whatever becomes of its script. */
  readonly data?: Readonly<Record<`data-${string}`, string>>;
  /** Source of a function: what the page asks with, by the state that it was left with. */
  readonly askWith?: string;
  /** Pictures inside the page's own data may be shown. Default false. */
  readonly dataImages?: boolean;
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Data that the page reads: no script, and no end of the element that it stands in. */
export const textsElement = (texts: PageParts['texts']): string =>
  texts === undefined
    ? ''
    : `<script type="application/json" id="texts">${JSON.stringify(texts).replaceAll('<', '\\u003c')}</script>\n`;

/** Neither ends the element that it is the text of, nor begins a comment there. */
const scriptText = (code: string): string => code.replace(/<(?=\/script|!--)/gi, String.raw`\x3c`);

const styleText = (css: string): string => css.replace(/<(?=\/style)/gi, String.raw`\3c `);

/**
 * The page of a web view, with all that it needs to begin: each file that it would have to load goes
 * from its process through three others and back, and VS Code shows no page and hands on no message
 * before all of them are there.
 */
export function pageHtml(parts: PageParts): string {
  const { cspSource, nonce, language, title, rootId, data = {} } = parts;
  const address = new URL(parts.address).href;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `img-src ${cspSource}${parts.dataImages === true ? ' data:' : ''}`,
  ].join('; ');
  const attributes = Object.entries(data).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `<!DOCTYPE html>
<html lang="${escaped(language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<script nonce="${nonce}">${earlyScript(parts.askWith)}</script>
<style nonce="${nonce}">${styleText(parts.style)}</style>
<title>${escaped(title)}</title>
</head>
<body${attributes.join('')}>
<div id="${escaped(rootId)}"></div>
${textsElement(parts.texts)}<script nonce="${nonce}" data-address="${escaped(address)}">${scriptText(parts.script)}
//# sourceURL=${address}
</script>
</body>
</html>
`;
}
