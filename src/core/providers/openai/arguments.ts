import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import type { ModelCall } from '../provider.ts';

/** The arguments of the template; its model where they name none. */
export const argumentsFor = ({ model, kwargs }: ModelCall): Mapping =>
  model === '' ? kwargs : { model, ...kwargs };

/** The same with `stream`. A stream is asked to tell its tokens; without one that is an error. */
export function withUsage(call: ModelCall): Mapping {
  const { stream_options: options, ...kwargs } = argumentsFor(call);
  const { stream } = call;
  if (!stream) return { ...kwargs, stream };
  const given = isMapping(options) ? options : {};
  return { ...kwargs, stream, stream_options: { ...given, include_usage: true } };
}
