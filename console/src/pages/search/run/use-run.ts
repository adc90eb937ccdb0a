// The run that the page shows: a new one for each text and range, and each time the reader asks for it.

import { useEffect, useState } from 'react';
import { QueryRun } from '#console/results/query-run.ts';
import { resolveRange, type TimeRange } from '#console/time/ranges.ts';

/** `attempt` grows with each request to run. Undefined without a text. */
export function useRun(text: string, { from, to }: TimeRange, attempt: number): QueryRun | undefined {
  const [run, setRun] = useState<QueryRun>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: A further attempt runs the same text again.
  useEffect(() => {
    if (text.trim() === '') {
      setRun(undefined);
      return;
    }
    const { from: begin, to: end } = resolveRange({ from, to });
    // Operations take times to the second: the newest records belong to the range.
    const interval = { from: Math.floor(begin / 1000) * 1000, to: Math.ceil(end / 1000) * 1000 };
    const made = new QueryRun({ text, interval });
    setRun(made);
    return () => made.close();
  }, [text, from, to, attempt]);
  return run;
}
