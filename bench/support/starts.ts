// Starts of programs in turn, each to its first 200. The first ones fill the compile cache and are not counted: a machine compiles a
// version once and starts it many times.

import type { Effort } from './bench.ts';
import { type Launch, launch } from './server-process.ts';

export const WARM_UPS = 3;

export interface Candidate {
  readonly name: string;
  /** Answers 200 when it is ready. */
  readonly path: string;
  readonly launch: Launch;
  before?(): void;
}

/** Milliseconds of each start, by candidate. */
export async function startInTurn(
  candidates: readonly Candidate[],
  { isQuick, say }: Pick<Effort, 'isQuick' | 'say'>,
): Promise<number[][]> {
  const rounds = isQuick ? 3 : 25;
  const times = candidates.map((): number[] => []);
  for (let round = 1 - WARM_UPS; round <= rounds; round += 1) {
    if (round > 0) say(`round ${round} of ${rounds}`);
    for (const [index, candidate] of candidates.entries()) {
      const milliseconds = await startOnce(candidate);
      if (round > 0) times[index]?.push(milliseconds);
    }
  }
  return times;
}

async function startOnce({ launch: declared, path, before }: Candidate): Promise<number> {
  before?.();
  await using server = await launch(declared);
  return await server.ready(path);
}
