import type { Template } from '../../api/template.ts';
import { destinationOf } from '../destination/destination.ts';
import { CancelledError, abortedBy } from '../errors.ts';
import type { SettledOptions } from '../options.ts';
import { completeBase } from '../providers/openai/address.ts';
import type { ModelCall } from '../providers/provider.ts';

/**
 * Nothing goes to an address that the workspace has set before whoever is to be asked has agreed.
 * Errors: CancelledError when not; ConfigurationError for what is no address.
 */
export async function demandAllowed(
  template: Template,
  { provider, baseURL }: ModelCall,
  { allowAddress, lookUp }: Pick<SettledOptions, 'allowAddress' | 'lookUp'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { source, name } = destinationOf(template);
  if (allowAddress === undefined || baseURL === undefined || source === 'environment') return;
  // There the address of the environment comes first.
  const isOverruled =
    provider === 'openai.azure' &&
    source === 'workspace' &&
    Boolean((await lookUp('AZURE_OPENAI_ENDPOINT'))?.trim());
  if (isOverruled) return;
  const url = new URL(completeBase(provider, baseURL));
  const isAllowed = await allowAddress({ provider, source, name, url }, signal);
  if (signal?.aborted === true) throw abortedBy(signal, 'The run');
  if (isAllowed) return;
  throw new CancelledError(
    { kind: 'address-not-allowed', origin: url.origin },
    { hint: { kind: 'allow-address' } },
  );
}
