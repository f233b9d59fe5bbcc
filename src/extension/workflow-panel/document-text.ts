import { laidOut } from '../panels/laid-out.ts';
import type { WorkflowRecord } from './records.ts';
import { finalOf, textOf } from './report.ts';

export const allOutputs = 'outputs.json';
const final = 'output';
const nodePrefix = 'node ';

/** Name of the document of a node's value, or of the final one. */
export function fileOf(node: string | null, isText: boolean): string {
  const name = node === null ? final : `${nodePrefix}${encodeURIComponent(node)}`;
  return `${name}.${isText ? 'md' : 'json'}`;
}

/** What stands in the document of that name. */
export function documentText({ nodes }: WorkflowRecord, file: string): string {
  if (file === allOutputs) return laidOut(nodes);
  const name = file.replace(/\.(?:md|json)$/, '');
  if (name === final) {
    const found = finalOf(nodes);
    return found === undefined ? '' : textOf(found.value);
  }
  const node = decodeURIComponent(name.slice(nodePrefix.length));
  const output = Object.hasOwn(nodes, node) ? nodes[node] : undefined;
  return output === undefined ? '' : textOf(output.value);
}
