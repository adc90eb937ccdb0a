// A rule that fits nearly everything.

import { describe, expect, it } from 'vitest';
import { CapturedLog } from '#test/support/captured-log.ts';
import { createStream, createStreamRule, eventsOf, importRecords } from '#test/support/stream-rules.ts';
import { serviceFor } from '#test/support/suites.ts';

describe('A stream rule that matches more than 100,000 records of one upload', () => {
  const log = new CapturedLog();
  const subject = serviceFor({ log });

  it('makes events of the first 100,000, and the log says so', async () => {
    const { schema, table } = await createStream(subject);
    const fields = { event_suppress_interval: '31536000' };
    const rule = await createStreamRule(subject, { schema, where: ['search n >= 0'], fields });
    const records = Array.from({ length: 100_020 }, (_, n) => ({ n }));
    expect((await importRecords(subject, table, records)).accepted).toBe(100_020);
    expect((await eventsOf(subject, rule)).map(({ count }) => count)).toEqual([100_000]);
    expect(log.warnings).toEqual([
      {
        message: 'a rule has more matches in one batch than may become events',
        fields: { kind: 'stream', rule, matches: 100_020, most: 100_000 },
      },
    ]);
  });
});
