import type { NodeOutput } from '../../api/workflow.ts';
import type { ErrorReason } from '../errors.ts';
import { WorkflowError } from '../errors.ts';
import { mapTexts } from '../errors/texts.ts';
import { isMapping } from '../mapping.ts';
import { shortened } from '../shortened.ts';

/** What every node of a workflow has done, by its name. */
export type NodeOutputs = Readonly<Record<string, NodeOutput>>;

const fields = ['status', 'value', 'error_message', 'raw_error_message', 'is_output_node'] as const;

function isNodeOutput(value: unknown): value is NodeOutput {
  return (
    isMapping(value) &&
    fields.every((field) => Object.hasOwn(value, field)) &&
    typeof value['status'] === 'string' &&
    typeof value['is_output_node'] === 'boolean'
  );
}

/** Whether a result is the map of all nodes. `{}` is none: a node may give an empty object. */
export function isNodeOutputs(result: unknown): result is NodeOutputs {
  if (!isMapping(result)) return false;
  const values = Object.values(result);
  return values.length > 0 && values.every(isNodeOutput);
}

const maxWords = 500;

/** What went wrong, node by node, as far as the nodes say. */
function wordsOf(outputs: NodeOutputs): string {
  const words = Object.entries(outputs)
    .filter(([, { status }]) => status === 'FAILED')
    .map(([name, output]) => {
      const said = output.error_message ?? output.raw_error_message ?? 'no reason given';
      return `node "${name}": ${said}`;
    })
    .join('; ')
    .replace(/\p{Cc}+/gu, ' ');
  return shortened(words, maxWords);
}

/**
 * The result of a workflow as its caller wants it. The map of all nodes comes also when only the
 * final value was asked for: with several output nodes, and when none of them has succeeded, which
 * is a WorkflowError.
 */
export function judge(
  result: unknown,
  {
    what,
    executionId,
    returnAllOutputs,
    redact,
  }: {
    /** The workflow, for messages. */
    readonly what: string;
    readonly executionId: number;
    readonly returnAllOutputs: boolean;
    readonly redact: (text: string) => string;
  },
): unknown {
  if (returnAllOutputs || !isNodeOutputs(result)) return result;
  const outputs = Object.values(result).filter((output) => output.is_output_node);
  if (outputs.some(({ status }) => status === 'SUCCESS')) return result;
  const words = wordsOf(result);
  const reason: ErrorReason =
    words !== ''
      ? { kind: 'workflow-nodes-failed', what, words }
      : outputs.length === 0
        ? { kind: 'workflow-without-output', what }
        : { kind: 'workflow-without-success', what };
  throw new WorkflowError(mapTexts(reason, redact), {
    executionId,
    outputs: result,
    hint: { kind: 'use-outputs' },
  });
}
