// A query can be cancelled at any moment of its life: however soon the request comes, the work stops.

import { beforeAll, describe, expect, it } from 'vitest';
import { cancel, ENDLESS, fillMany, finished, openCursor, pause } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';

const ROUNDS = 40;

describe('A query that is cancelled soon after its acceptance', () => {
  const subject = serviceFor();
  beforeAll(() => fillMany(subject));

  it('ends, whichever step of its beginning it is at', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await openCursor(subject, ENDLESS);
      if (round > 0) await pause(round);
      await cancel(subject, id);
      expect(await finished(subject, id), `round ${round}`).toMatchObject({ is_finished: true, is_cancelled: true });
    }
  });
});
