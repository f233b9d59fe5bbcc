import type { ColumnKind } from './column-kind.ts';
import { jsonToText } from './json.ts';

/**
 * A kind whose cells, unless they are quick for certain, are computed in a sandbox process, with a
 * limit on time and memory. It has to be among those that the sandbox knows.
 */
export const isolated = (kind: ColumnKind): ColumnKind => ({
  type: kind.type,
  compile(config) {
    const compiled = kind.compile(config);
    const { quickUpTo: limit, isQuick, compute } = compiled;
    if (limit === undefined) return compiled;
    const configText = jsonToText(config);
    return {
      slow: limit <= 0,
      quickUpTo: limit,
      compute: (sources, tools) =>
        limit > 0 && !sources.isLargerThan(limit) && isQuick?.(sources) !== false
          ? compute(sources, tools)
          : tools.sandbox.runColumn(
              { type: kind.type, configText, sourcesText: sources.toText() },
              tools,
            ),
    };
  },
});
