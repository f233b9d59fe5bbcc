import type { Call } from '../http/call.ts';
import type { Lifetime } from '../http/lifetime.ts';
import type { Connections } from '../platform/connections.ts';
import type { SettledOptions } from '../options.ts';
import type { Provider } from '../providers/provider.ts';
import type { Templates } from '../templates/templates.ts';
import type { AnswerPlace } from './answer-cache.ts';
import type { CallEnvironment } from './provider-context.ts';
import type { RunFacts } from './track.ts';

/** What running a prompt needs of a client. */
export interface RunContext {
  readonly call: Call;
  readonly settled: SettledOptions;
  readonly templates: Pick<Templates, 'get' | 'getRaw'>;
  /** To the providers: through the same proxies, never through the service's own socket. */
  readonly connections: Connections;
  readonly lifetime: Lifetime;
}

/** A run that is under way: everything that the two ways of running it need. */
export interface Run {
  readonly context: RunContext;
  readonly facts: RunFacts;
  readonly provider: Provider;
  readonly callEnvironment: CallEnvironment;
  /** Where its answer is kept; undefined: nowhere. */
  readonly place: AnswerPlace | undefined;
  /** Called once it is answered and logged: takes the listeners off the caller's signal. */
  readonly release: () => void;
}
