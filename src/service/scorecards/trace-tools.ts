import { textOf } from '../../core/mapping.ts';
import { isObject, type Json } from '../engine/columns/json.ts';

interface Seen {
  readonly tool: string;
  readonly start: string;
}

/** Clients trace the call of a tool as a span of this name. */
const toolNamed = (name: Json | undefined): string | undefined =>
  /^Tool:(.+)$/s.exec(textOf(name))?.[1]?.trim();

function take(span: { readonly [key: string]: Json }, into: Seen[]): void {
  const tool = toolNamed(span['name']);
  const start = textOf(span['start_time'] ?? span['start']);
  if (tool !== undefined && tool !== '') into.push({ tool, start });
}

/** Spans inside of spans, a parent before its children. */
function ofTree(root: Json): Seen[] {
  const found: Seen[] = [];
  const rest = [root];
  while (rest.length > 0) {
    const span = rest.pop() ?? null;
    if (!isObject(span)) continue;
    take(span, found);
    const children = span['children'];
    if (Array.isArray(children)) for (const child of children.toReversed()) rest.push(child);
  }
  return found;
}

/** Spans one after the other, in the order of a tree of them: who ends first was sent first. */
function ofList(spans: readonly Json[]): Seen[] {
  const all = spans.filter(isObject);
  const known = new Set(all.flatMap(({ span_id: id }) => (typeof id === 'string' ? [id] : [])));
  const children = new Map<string, { readonly [key: string]: Json }[]>();
  for (const span of all) {
    const parent = textOf(span['parent_id']);
    const under = known.has(parent) && parent !== span['span_id'] ? parent : '';
    const siblings = children.get(under);
    if (siblings === undefined) children.set(under, [span]);
    else siblings.push(span);
  }
  const found: Seen[] = [];
  const seen = new Set<unknown>();
  const rest = [...(children.get('') ?? [])].toReversed();
  while (rest.length > 0) {
    const span = rest.pop();
    if (span === undefined || seen.has(span)) continue;
    seen.add(span);
    take(span, found);
    const id = textOf(span['span_id']);
    if (id !== '') for (const child of (children.get(id) ?? []).toReversed()) rest.push(child);
  }
  // Parents that name each other in a circle are reached from nowhere.
  for (const span of all) if (!seen.has(span)) take(span, found);
  return found;
}

/** The tools that a trace says were called, as calls, by the time when each began. */
export function toolsOfTrace(trace: { readonly [key: string]: Json }): Json[] {
  const spans = trace['spans'];
  const found = Array.isArray(spans) ? ofList(spans) : ofTree(trace);
  return found
    .toSorted((one, other) => (one.start < other.start ? -1 : one.start > other.start ? 1 : 0))
    .map(({ tool }) => ({ name: tool, arguments: null }));
}
