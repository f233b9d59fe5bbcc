import { earlyScript } from '../../protocol/early.ts';

/** Addresses of a page's bundle, as its web view may load them. */
export interface PageParts {
  readonly cspSource: string;
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
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

/** The page of a web view. Nothing may be loaded but the bundle; no inline style is used. */
export function pageHtml(parts: PageParts): string {
  const { cspSource, nonce, script, style, language, title, rootId, data = {} } = parts;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
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
<link rel="stylesheet" href="${escaped(style)}">
<title>${escaped(title)}</title>
</head>
<body${attributes.join('')}>
<div id="${escaped(rootId)}"></div>
${textsElement(parts.texts)}<script nonce="${nonce}" src="${escaped(script)}"></script>
</body>
</html>
`;
}
