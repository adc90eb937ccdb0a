// Queries over encrypted tables: right results, together with tables in clear, and nothing of their rows in any file.

import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { createLogger, push } from '#test/support/logs.ts';
import {
  ask,
  endAll,
  fillMany,
  finished,
  hold,
  linesOf,
  openCursor,
  ran,
  rowsFrom,
  statusOf,
} from '#test/support/queries.ts';
import { seal } from '#test/support/segments.ts';
import { expectRecord } from '#test/support/status-records.ts';
import { onEachDatabase, type Subject } from '#test/support/suites.ts';
import { everythingKept } from '#test/support/written-data.ts';

const SECRET = 'xyzzy-card-4556';
const COUNT = 20_000;

/** Files that this process has open in the data folder, those without a name too. */
function openFiles({ service }: Subject): Buffer[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = `/proc/self/fd/${descriptor}`;
      const isOurs = readlinkSync(path).startsWith(service.config.data) && statSync(path).isFile();
      return isOurs ? [readFileSync(path)] : [];
    } catch {
      return [];
    }
  });
}

onEachDatabase(
  'A query over an encrypted table',
  (subject) => {
    const { call } = subject;
    beforeAll(async () => {
      const profile = await created(subject, '/api/core/crypto-profiles', { name: 'p' });
      const storage = { crypto_profile_guid: profile, encryption: 'true' };
      const logger = await createLogger(subject, { table: 'cards', storage });
      const lines = (from: number) =>
        Array.from({ length: COUNT / 2 }, (_, at) => JSON.stringify({ n: from + at, card: `${SECRET}-${from + at}` }));
      await push(subject, logger, { body: lines(0).join('\n') });
      await seal(subject, 'cards');
      await push(subject, logger, { body: lines(COUNT / 2).join('\n') });
      await fillMany(subject, { count: 1000 });
    });
    afterEach(() => endAll(subject));

    const hits = async () => {
      const files = [...(await everythingKept(subject.service)), ...openFiles(subject)];
      return files.filter((bytes) => bytes.includes(SECRET)).length;
    };

    it.each([
      ['table cards | join n [ table many | fields n, k ]', 1000],
      ['table many | join n [ table cards ]', 1000],
      ['table many | join type=left n [ table cards | search n < 10 ] | search card', 10],
      ['table many | union [ table cards ] | search n < 5', 10],
      ['table cards, many | search n < 5', 10],
      ['table cards | sort -card', COUNT],
      ['table cards | stats count by card | sort limit=3 card', 3],
      ['setq [ table cards | stats max(n) as top ] | table many | search n < $("top")', 1000],
    ])('gives its rows: %s', async (q, rows) => {
      const last = await ran(subject, q);
      expectRecord(last);
      expect([last.rows, last.is_cancelled]).toEqual([rows, false]);
      const streamed = await ask(subject, { q });
      const fetched = await rowsFrom(subject, last.id, 'limit=100000');
      expect(linesOf(streamed)).toHaveLength(rows);
      expect(fetched.text.split('\n').sort()).toEqual(streamed.text.split('\n').sort());
      expect(await hits()).toBe(0);
    });

    it('joins the right values', async () => {
      const q = 'table many | search n < 3 | join n [ table cards ] | sort n | fields n, k, card';
      expect(linesOf(await ask(subject, { q }))).toEqual([0, 1, 2].map((n) => ({ n, k: n, card: `${SECRET}-${n}` })));
    });

    it('leaves nothing in clear while its rows are held, fetched, and dropped', async () => {
      const id = await openCursor(subject, 'table cards | eval copy = concat("copy of ", card)');
      await finished(subject, id);
      expect(await hits()).toBe(0);
      const fetched = linesOf(await rowsFrom(subject, id, `offset=${COUNT - 1}`));
      expect(fetched[0].copy).toContain(SECRET);
      expect(await hits()).toBe(0);
      await call('DELETE', `/api/core/cursors/${id}`);
      expect(await hits()).toBe(0);
    });

    it('leaves nothing in clear while it runs', async () => {
      const q = 'table cards | join type=cross [ table cards | fields n | rename n as m ] | fields card, m';
      using held = await hold(subject.service.url, q);
      expect((await statusOf(subject, held.id)).is_finished).toBe(false);
      expect(await hits()).toBe(0);
    });

    it('would be found: a table in clear is', async () => {
      const logger = await createLogger(subject, { table: 'clear' });
      await push(subject, logger, { body: JSON.stringify({ card: SECRET }) });
      expect(await hits()).toBeGreaterThan(0);
      const { id } = await ran(subject, 'table clear');
      expect(openFiles(subject).some((bytes) => bytes.includes(SECRET))).toBe(true);
      await call('DELETE', `/api/core/cursors/${id}`);
      await call('DELETE', '/api/core/loggers', { form: { guids: logger, drop_table: 'true' } });
    });
  },
  { alone: 'embedded' },
);
