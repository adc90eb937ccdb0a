// Work at an interval while a component is shown: the console's only timer that repeats.

import { useEffect, useRef } from 'react';

/** Calls `work` after every `milliseconds`; never while `isOn` is false. */
export function useEvery(milliseconds: number, work: () => void, isOn = true): void {
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => latest.current(), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, isOn]);
}
