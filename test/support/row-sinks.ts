// Sinks of runs in tests: rows are kept until the commit.

import type { FlushingSink } from '#query/plan-nodes/effect.ts';
import type { Row } from '#test/support/query-result.ts';

export function sinkOf(commit: (rows: readonly Row[]) => Promise<void>): FlushingSink {
  const kept: Row[] = [];
  return {
    add: async (rows) => void kept.push(...rows),
    prepare: async () => undefined,
    commit: () => commit(kept),
    discard: async () => undefined,
    flush: () => Promise.reject(new Error('rows are stored as a whole here')),
  };
}
