import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/http/json.ts';
import { invalid } from '../http/problem.ts';
import type { Log } from '../log.ts';
import type { ExecutionView } from './executions.ts';
import { nodeMap, resultOf } from './executions.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
const WAITS_MS = [1000, 5000];
const ANSWER_MS = 30_000;

/** Throws a 400 for an address that results may not be sent to: any machine but this one. */
export function checkCallback(url: string, allowedHosts: readonly string[]): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw invalid('callback_url is not an http or https address.');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw invalid('callback_url must not hold a user name or password.');
  }
  if (!loopback.test(parsed.hostname) && !allowedHosts.includes(parsed.hostname.toLowerCase())) {
    throw invalid(
      `callback_url leads to ${parsed.hostname}. Results are sent to this machine only; allow other hosts with PROMPT_TABLES_CALLBACK_HOSTS when the service is started.`,
    );
  }
}

/** Posts a result; tries again twice. Follows no redirect: it could lead anywhere. */
export async function sendCallback(
  url: string,
  view: ExecutionView,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const { id, status, returns_all: all } = view.execution;
  const body = stringifyJson({
    success: true,
    workflow_version_execution_id: id,
    status,
    final_output: resultOf(view, all === 1),
    nodes: nodeMap(view),
  });
  let reason = '';
  for (const wait of [0, ...WAITS_MS]) {
    try {
      await pause(wait, undefined, { signal });
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      await response.body?.cancel();
      if (response.ok) return;
      reason = `it answered ${String(response.status)}`;
    } catch (error) {
      if (signal.aborted) return;
      reason = describeError(error);
    }
  }
  log.warn('A callback of a workflow was not delivered', { execution: id, reason });
}
