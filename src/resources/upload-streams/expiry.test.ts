import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { append, cancel, complete, createTable, offsetOf, opened, probe, STREAMS } from '#test/support/uploads.ts';

const gone = (token: string, status = 500) => refused(status, 'illegal-state', `upload stream not found: ${token}`);

// Ten minutes in place of a day: a clock that is moved by hand passes every second of it.
const IDLE = { flags: { 'upload-idle': '600' } };

onEachDatabase(
  'Uploads',
  (subject) => {
    const { call, clock } = subject;
    beforeAll(() => createTable(subject, 'web'));
    const parts = () => readdirSync(join(subject.service.config.data, 'uploads'));
    const openLogs = () => opened(subject, { file_size: 2, metadata: { table: 'web' } });

    it('expire after the idle time without PATCH, bytes and all', async () => {
      const idle = await openLogs();
      const busy = await openLogs();
      await append(subject, idle, { offset: 0, body: 'x' });
      clock.advance({ minutes: 9 });
      await append(subject, busy, { offset: 0, body: 'x' });
      await probe(subject, idle);
      clock.advance({ minutes: 1 });
      expect(await offsetOf(subject, idle)).toBeUndefined();
      expect(outcome(await complete(subject, idle))).toEqual(gone(idle));
      expect(outcome(await cancel(subject, idle))).toEqual(gone(idle));
      expect(outcome(await append(subject, idle, { offset: 1, body: 'x' }))).toEqual(gone(idle, 404));
      expect((await call('GET', STREAMS)).json.streams).toMatchObject([{ token: busy }]);
      clock.advance({ minutes: 1 });
      await until(
        async () => parts(),
        (found) => found.length === 1,
      );
      expect(parts()).toEqual([`${busy}.part`]);
      await cancel(subject, busy);
    });

    it('that are complete are remembered for the idle time', async () => {
      const token = await openLogs();
      await append(subject, token, { offset: 0, body: '{}' });
      clock.advance({ minutes: 5 });
      const answer = [200, { accepted: 1, rejected: [], rejected_count: 0 }];
      expect(outcome(await complete(subject, token))).toEqual(answer);
      clock.advance({ minutes: 9 });
      expect(outcome(await complete(subject, token))).toEqual(answer);
      clock.advance({ minutes: 1 });
      expect(outcome(await complete(subject, token))).toEqual(gone(token));
    });
  },
  IDLE,
);
