// Unsaved input of a component. The shell asks before it is discarded (shell/unsaved-guard.tsx).

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createHolds, type Hold, type HoldOptions } from './holds.ts';
import { createQuestion } from './question.ts';

/** Of this tab. */
export const unsavedQuestion = createQuestion();
export const unsavedHolds = createHolds(unsavedQuestion.ask);

/** `isUnsaved`: whether something was entered that is not saved. */
export function useUnsaved(isUnsaved: boolean, options: HoldOptions = {}): Hold {
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  const [hold] = useState(() => unsavedHolds.create(() => latest.current));
  // Before the next event: a click that follows the last key must find it.
  useLayoutEffect(() => hold.set(isUnsaved), [hold, isUnsaved]);
  useEffect(() => hold.show(), [hold]);
  return hold;
}
