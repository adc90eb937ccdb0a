// What suites of several service processes share: homes that end with their test, calls and ends of a process.

import { onTestFinished } from 'vitest';
import { makeHome, type VigilProcess } from './process.ts';
import { send } from './service.ts';

export function home() {
  const made = makeHome();
  onTestFinished(() => made[Symbol.dispose]());
  return made;
}

/** The calls of `test/support/service.ts`, to a process. */
export const client = (url: string) => ({
  call: (method: string, path: string, options?: Parameters<typeof send>[2]) => send(`${url}${path}`, method, options),
});

export async function ended(process: VigilProcess, signal: NodeJS.Signals): Promise<number | null> {
  process.child.kill(signal);
  return await process.exited();
}
