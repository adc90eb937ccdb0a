import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';
import { append, cancel, complete, createTable, offsetOf, openByTus, opened } from '#test/support/uploads.ts';

const LINES = 20_000;
const LOGS = Buffer.from(Array.from({ length: LINES }, (_, n) => `{"n":${n},"pad":"${'x'.repeat(80)}"}\n`).join(''));
const gone = (token: string, status = 500) => refused(status, 'illegal-state', `upload stream not found: ${token}`);

onEachDatabase('Several requests for one upload', (subject) => {
  beforeAll(() => createTable(subject, 'web'));
  const count = async (table: string) => (await rowsOf(subject, `table ${table} | stats count`))[0].count;
  const parts = () => readdirSync(join(subject.service.config.data, 'uploads'));

  it('of which one cancels it end in the same words, whatever they were about to do', async () => {
    let imported = 0;
    for (let delay = 0; delay < 120; delay += 8) {
      const { token } = (await openByTus(subject, LOGS.length, { filename: 'a', table: 'web' })).json;
      const sending = append(subject, token, { offset: 0, body: LOGS });
      await sleep(delay);
      const completing = complete(subject, token);
      const cancelled = await cancel(subject, token);
      const left = parts();
      const sent = await sending;
      const completed = await completing;
      if (cancelled.status === 200) {
        expect(left).toEqual([]);
        expect(outcome(sent)).toEqual(gone(token, 404));
        const notYet = refused(500, 'illegal-state', `upload stream not completed: ${token}`);
        expect([gone(token), notYet]).toContainEqual(outcome(completed));
      } else {
        expect([outcome(cancelled), sent.status, completed.json.accepted]).toEqual([gone(token), 204, LINES]);
        imported += 1;
      }
    }
    expect(await count('web')).toBe(imported * LINES);
  });

  it('from clients that know nothing of each other bring every byte once', async () => {
    await createTable(subject, 'both');
    const token = await opened(subject, { file_size: LOGS.length, metadata: { table: 'both' } });
    const client = async (pieceBytes: number) => {
      for (let offset = 0; offset < LOGS.length; ) {
        const answer = await append(subject, token, { offset, body: LOGS.subarray(offset, offset + pieceBytes) });
        offset = (await offsetOf(subject, token)) ?? 0;
        // Another client may have completed it in between.
        expect(offset === LOGS.length ? [204, 409, 404] : [204, 409]).toContain(answer.status);
      }
      return outcome(await complete(subject, token));
    };
    const answers = await Promise.all([client(70_001), client(99_999), client(300_007)]);
    const all = [200, { accepted: LINES, rejected: [], rejected_count: 0 }];
    expect(answers).toEqual([all, all, all]);
    expect(await count('both')).toBe(LINES);
  });

  it('that opens it with nothing in it never answers an error for what it has opened', async () => {
    const made = await openByTus(subject, 0, { filename: 'empty.gz', table: 'web' });
    expect(made.status).toBe(201);
    const { token } = made.json;
    const wrong = refused(500, 'illegal-state', `wrong gzip data: ${token}`);
    expect(outcome(await complete(subject, token))).toEqual(wrong);
    expect(outcome(await complete(subject, token))).toEqual(wrong);
  });
});
