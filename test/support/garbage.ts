// Whether an object can be collected as garbage.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { yieldToEventLoop } from '#runtime/event-loop.ts';

const TURNS = 20;

/** Collects garbage until the object is gone, or often enough to say that something holds it. */
export async function isCollected(object: WeakRef<object>): Promise<boolean> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let turn = 0; turn < TURNS && object.deref(); turn += 1) {
    await yieldToEventLoop();
    collect();
  }
  return object.deref() === undefined;
}
