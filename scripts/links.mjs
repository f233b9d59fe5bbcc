// Follows the links of the documentation: those inside the repository with their anchors, and those to
// other sites with their anchors and redirects. Run by `npm run links`; `npm test` follows the first only.
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';
import { runScript, say, Trouble } from './say.mjs';

/** @returns {string[]} documents whose links people follow, from the root */
export const documentsOfLinks = () => [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...fs.readdirSync(inRoot('docs')).map((name) => `docs/${name}`),
];

/** @param {string} markdown */
const proseOf = (markdown) =>
  markdown.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/**
 * @param {string} markdown
 * @returns {string[]} targets of links and pictures
 */
export function linksIn(markdown) {
  const prose = proseOf(markdown);
  const found = [
    ...prose.matchAll(/\]\(\s*<?([^)\s>]+)/g),
    ...prose.matchAll(/\b(?:src|srcset|href)="([^"\s]+)/g),
    ...prose.matchAll(/<(https?:[^>\s]+)>/g),
  ];
  return [...new Set(found.map(([, target = '']) => target))];
}

/**
 * Anchors as GitHub and VS Code make them of headings, and those that are written in HTML.
 * @param {string} markdown
 */
export function anchorsOf(markdown) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  const anchors = new Set(
    [...markdown.matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, name = '']) => name),
  );
  const headings = markdown.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm);
  for (const [, heading = ''] of headings) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

/**
 * @param {string} file
 * @param {(file: string) => string | undefined} read content of a file from the root; undefined: there is none
 * @returns {string[]} what is wrong with the links of a file to others of the repository
 */
export function brokenInside(file, read) {
  const markdown = read(file);
  if (markdown === undefined) return [`${file}: the file is missing`];
  return linksIn(markdown).flatMap((link) => {
    if (/^[a-z][\w+.-]*:/i.test(link)) return [];
    const [to = '', anchor] = link.split('#');
    const target = to === '' ? file : path.posix.join(path.posix.dirname(file), decodeURI(to));
    const content = read(target);
    if (content === undefined) return [`${file}: ${link}: the file is missing`];
    const isThere =
      anchor === undefined || !target.endsWith('.md') || anchorsOf(content).has(anchor);
    return isThere ? [] : [`${file}: ${link}: the anchor is missing`];
  });
}

/**
 * @param {string} url
 * @param {number} [timeoutMs]
 * @returns {Promise<string | undefined>} what is wrong with a link to another site
 */
export async function brokenOutside(url, timeoutMs = 20_000) {
  const { hash } = new URL(url);
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const content = await answer.text();
    if (!answer.ok) return `${url}: status ${answer.status}`;
    const moved = answer.url.replace(/#.*/, '') !== new URL(url).href.replace(/#.*/, '');
    if (moved) return `${url}: moved to ${answer.url}`;
    const anchor = decodeURIComponent(hash.slice(1));
    const isThere =
      anchor === '' || content.includes(`id="${anchor}"`) || content.includes(`name="${anchor}"`);
    return isThere ? undefined : `${url}: the anchor is missing`;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return `${url}: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

/** @param {string} file */
export function readFromRoot(file) {
  const place = inRoot(file);
  if (!fs.existsSync(place)) return undefined;
  return fs.statSync(place).isDirectory() ? '' : fs.readFileSync(place, 'utf8');
}

if (process.argv[1] && path.resolve(process.argv[1]) === inRoot('scripts/links.mjs')) {
  await runScript(async () => {
    const files = documentsOfLinks();
    const broken = files.flatMap((file) => brokenInside(file, readFromRoot));
    const links = files.flatMap((file) => linksIn(readFromRoot(file) ?? ''));
    const outside = [...new Set(links)].filter((link) => /^https?:/.test(link));
    // One after the other: sites refuse many requests at once.
    for (const url of outside) {
      const fault = await brokenOutside(url);
      if (fault !== undefined) broken.push(fault);
    }
    if (broken.length > 0)
      throw new Trouble(`Broken links:\n${broken.join('\n')}`, 'correct them, or remove them.');
    say(`${links.length} links, ${outside.length} of them to other sites.`);
  });
}
