// A query can be cancelled at any moment of its life: however soon the request comes, the work stops.

import { beforeAll, describe, expect, it } from 'vitest';
import { cancel, ENDLESS, fillMany, openCursor, pause, type Status, statusOf } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';

const ROUNDS = 40;

describe('A query that is cancelled soon after its acceptance', () => {
  const subject = serviceFor();
  beforeAll(() => fillMany(subject));

  it('ends, whichever step of its beginning it is at', async () => {
    const ends: [number, boolean][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await openCursor(subject, ENDLESS);
      if (round > 0) await pause(round);
      await cancel(subject, id);
      let status: Status = await statusOf(subject, id);
      for (let look = 0; look < 500 && !status.is_finished; look += 1) {
        await pause();
        status = await statusOf(subject, id);
      }
      ends.push([round, status.is_finished]);
      if (!status.is_finished) break;
    }
    expect(ends.filter(([, isFinished]) => !isFinished)).toEqual([]);
    expect(ends).toHaveLength(ROUNDS);
  });
});
