import { fetchProviderJson } from '../providers/exchange.ts';
import { streamError, withoutSecrets } from '../providers/provider-error.ts';
import type { ModelCall, Provider } from '../providers/provider.ts';
import { refusalIn } from '../providers/refusal.ts';
import { blueprintMaker } from './blueprint.ts';
import type { Run } from './context.ts';
import { logFailure, logged } from './log.ts';
import type { RunResult } from './options.ts';
import type { CallEnvironment } from './provider-context.ts';

/** The provider's whole answer. */
export async function ask(
  provider: Provider,
  call: ModelCall,
  callEnvironment: CallEnvironment,
): Promise<unknown> {
  if (provider.complete !== undefined) return provider.complete(call, callEnvironment.provider);
  const request = await provider.prepare(call, callEnvironment.provider);
  const response = await fetchProviderJson(request, callEnvironment.exchange);
  const refusal = refusalIn(response);
  if (refusal !== undefined) throw streamError(call.provider, refusal);
  return response;
}

/** One answer, whole. */
export async function runWhole(run: Run): Promise<RunResult> {
  const { provider, facts, callEnvironment } = run;
  try {
    const response = await ask(provider, facts.call, callEnvironment).catch(
      async (thrown: unknown) => {
        const error = withoutSecrets(thrown, callEnvironment.exchange.redact);
        await logFailure(run, { kind: 'failed', error });
        throw error;
      },
    );
    const { template, call } = facts;
    const reply = provider.replyOf(response, call);
    return await logged(run, response, reply, blueprintMaker(template)(reply));
  } finally {
    run.release();
  }
}
