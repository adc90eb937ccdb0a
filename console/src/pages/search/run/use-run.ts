// The run that the page shows: a new one for each text and range, and each time the reader asks for it. An address, Back and a
// click on a value only read: a text that changes something runs once for each click on Run.

import { useCallback, useEffect, useRef, useState } from 'react';
import { QueryRun } from '#console/results/query-run.ts';
import { resolveRange, type TimeRange } from '#console/time/ranges.ts';

interface Attempt {
  /** Grows with each request to run. */
  readonly count: number;
  /** The text of a click on Run, until it has begun. */
  readonly byHand: { current: string | undefined };
}

/** `begin` asks for a run; with the text of a click on Run this one run may change something. */
export function useAttempt(): { readonly attempt: Attempt; begin(byHand?: string): void } {
  const [count, setCount] = useState(0);
  const byHand = useRef<string>(undefined);
  const begin = useCallback((text?: string) => {
    byHand.current = text;
    setCount((before) => before + 1);
  }, []);
  return { attempt: { count, byHand }, begin };
}

/** Undefined without a text. */
export function useRun(text: string, { from, to }: TimeRange, { count, byHand }: Attempt): QueryRun | undefined {
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
    const mayChange = byHand.current === text;
    // The page may show the text before for a moment: the click counts until its own text comes.
    if (mayChange) byHand.current = undefined;
    const made = new QueryRun({ text, interval, mayChange });
    setRun(made);
    return () => made.close();
  }, [text, from, to, count]);
  return run;
}
