/** Where a tag ends that begins at `from`; quotes may hold its sign. -1: it does not. */
function tagEnd(html: string, from: number): number {
  for (let at = from; at < html.length; at += 1) {
    const sign = html[at];
    if (sign === '>') return at;
    if (sign !== '"' && sign !== "'") continue;
    at = html.indexOf(sign, at + 1);
    if (at < 0) return -1;
  }
  return -1;
}

const styleAttribute = /\sstyle\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+)/gi;

/**
 * A page of others without its styles. Nothing of it is ever shown, but the policy of our page counts
 * the styles of a document that is only parsed as an attempt to break it.
 */
export function withoutStyles(html: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const open = html.indexOf('<', at);
    const end = open < 0 ? -1 : tagEnd(html, open);
    if (end < 0) {
      kept.push(html.slice(at));
      return kept.join('');
    }
    kept.push(html.slice(at, open));
    const tag = html.slice(open, end + 1);
    at = end + 1;
    if (html.startsWith('<!--', open)) {
      const close = html.indexOf('-->', open + 4);
      at = close < 0 ? html.length : close + 3;
    } else if (/^<style[\s>/]/i.test(tag)) {
      const close = html.slice(at).search(/<\/style/i);
      const closeEnd = close < 0 ? -1 : html.indexOf('>', at + close);
      at = closeEnd < 0 ? html.length : closeEnd + 1;
    } else kept.push(/^<[a-z]/i.test(tag) ? tag.replaceAll(styleAttribute, '') : tag);
  }
}
