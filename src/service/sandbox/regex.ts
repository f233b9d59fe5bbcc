import { MAX_MATCHES, matchToJson } from './matches.ts';
import type { SandboxAnswer } from './protocol.ts';

/** May take for ever: the service kills this process when it does. */
export function runRegex(
  kind: 'regex-test' | 'regex-find-all',
  pattern: string,
  text: string,
): SandboxAnswer {
  const compiled = new RegExp(pattern, 'gu');
  if (kind === 'regex-test') return { ok: true, value: JSON.stringify(compiled.test(text)) };
  const found = [];
  for (const match of text.matchAll(compiled)) {
    if (found.length >= MAX_MATCHES) break;
    found.push(matchToJson(match));
  }
  return { ok: true, value: JSON.stringify(found) };
}
