import { allowManyListeners } from '#platform';

export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Takes the listeners off the sources, which may live much longer. */
  readonly release: () => void;
}

/** Aborts with the first of the sources. `AbortSignal.any` keeps its sources' memory on Node 20. */
export function joinSignals(...sources: readonly (AbortSignal | undefined)[]): JoinedSignal {
  const present = sources.filter((source) => source !== undefined);
  allowManyListeners(present);
  const controller = new AbortController();
  const onAbort = (): void => {
    const first = present.find((source) => source.aborted);
    controller.abort(first?.reason);
  };
  for (const source of present) source.addEventListener('abort', onAbort, { once: true });
  if (present.some((source) => source.aborted)) onAbort();
  return {
    signal: controller.signal,
    release: () => {
      for (const source of present) source.removeEventListener('abort', onAbort);
    },
  };
}
