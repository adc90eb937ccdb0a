// Lists that multiply within one row. Sixteen cursors of one account at the ceiling, each of them cancelled: all end, the
// service answers meanwhile, and another account has its rows. Judged are the processor time that the
// service takes from the cancels to the last end, and the turns of its main thread. `npm run test:hostile` has more of them.

import { describe, expect, it, onTestFinished } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { makeHome } from '#test/support/process.ts';
import { processorMsOf } from '#test/support/processor-time.ts';
import { cancel, finished, openCursor, ran } from '#test/support/queries.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';
import { fill, PROBE, probed } from './holders.ts';

const IS_LONG = process.env.VIGIL_HOSTILE_AT_ONCE !== undefined;
const AT_ONCE = IS_LONG ? 16 : 4;
/** Milliseconds of all threads. */
const MAX_CANCEL_MS = 2000;
/** Milliseconds of the main thread in one turn. */
const MAX_HELD_MS = 100;
const MIB = 1024 * 1024;

const ROWS = 'table web | repeat count=100000';
/** So many elements, of a column: it is made for every row. */
const list = (count: number) => `eval l = split(lpad(path, ${count}, ","), ",")`;

/** Each row stays below the ceiling, or makes the whole of it. */
const AT_CEILING = [
  `${ROWS} | ${list(900)} | eval c = foreach(foreach(concat(_1, "x"), l), l), n = len(c) | stats sum(n)`,
  `${ROWS} | ${list(95)} | eval c = foreach(foreach(foreach(_1, l), l), l), n = len(c) | stats sum(n)`,
  `${ROWS} | ${list(900)} | eval c = foreach(len(zip(l, l)), l) | stats count by c`,
  `${ROWS} | ${list(900)} | search len(foreach(len(split(strjoin(",", l), ",")), l)) == 7`,
  `${ROWS} | ${list(9000)} | explode l | eval m = concat(l, "x") | stats count by m`,
  `${ROWS} | ${list(900)} | eval m = l | explode l | explode m | stats count by m`,
  `${ROWS} | ${list(900)} | stats sum(len(foreach(foreach(_1, l), l)))`,
  `${ROWS} | ${list(900)} | eval c = foreach(foreach(concat(_1, path), l), l)`,
];

/** What one row would make is more. */
const BEYOND = [
  'json "{a:1}" | eval l = split(lpad(string(a), 1200, ","), ",") | eval c = foreach(foreach(1, l), l)',
  'json "{a:1}" | eval l = split(lpad(string(a), 450, ","), ",") | eval c = foreach(foreach(foreach(1, l), l), l)',
  'json "{a:1}" | eval l = split(lpad(string(a), 1200, ","), ",") | eval c = foreach(len(zip(l, l)), l)',
  'json "{a:1}" | eval s = lpad(string(a), 1200, ","), l = split(s, ",") | eval c = foreach(split(s, ","), l)',
  'json "{a:1}" | eval l = split(lpad(string(a), 1200, ","), ",") | eval m = l | explode l | explode m | stats count',
  'json "{a:1}" | eval l = split(lpad(string(a), 1200, ","), ",") | eval m = l | explode l | evalc z = 1 | explode m | stats count',
];

type Asked = Pick<Service, 'call'>;

describe('Lists of one row', () => {
  const subject = serviceFor({});

  it.each(BEYOND)('end the query that makes too much of them: %s', async (q) => {
    expect(await ran(subject, q)).toMatchObject({
      is_cancelled: true,
      error_code: 93010,
      error_detail: 'list elements or steps of a row: 1000001 is more than 1000000',
    });
  });
});

describe('Lists at the ceiling, by many cursors of one account', () => {
  it('are cancelled, and nobody else waits for them', async () => {
    const home = makeHome();
    onTestFinished(() => home[Symbol.dispose]());
    const settings = { VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_QUERY_MEMORY: String(512 * MIB) };
    const running = home.serve(settings, { probe: PROBE });
    const url = await running.ready();
    const pid = Number(running.child.pid);
    const service: Asked = { call: (method, path, how) => send(`${url}${path}`, method, how) };
    await fill(service);
    const { key } = await createAccount(service, 'ADMIN', { login: 'neighbour' });
    await service.call('GET', `/api/core/query?q=${encodeURIComponent('table web | evalc a = 1 | limit 1')}`);

    for (const q of IS_LONG ? AT_CEILING : AT_CEILING.slice(0, 6).filter((_, at) => at % 2 === 0)) {
      await probed(running.child, 'begin');
      const ids = await Promise.all(Array.from({ length: AT_ONCE }, () => openCursor(service, q)));
      for (let round = 0; round < 3; round += 1) {
        const grouped = await ran(service, 'table web | stats count by n | sort n', { key });
        expect(grouped).toMatchObject({ rows: 2, is_cancelled: false });
      }
      const before = processorMsOf(pid);
      await Promise.all(ids.map((id) => cancel(service, id)));
      const statuses = await Promise.all(ids.map((id) => finished(service, id)));
      const took = processorMsOf(pid) - before;
      for (const { error_code } of statuses) expect([93001, 93003]).toContain(error_code);
      const held = await probed(running.child, 'found');
      if (IS_LONG) console.log(`${Math.round(took)} ms, main thread ${Math.round(held.longest)} ms: ${q}`);
      expect(took).toBeLessThan(MAX_CANCEL_MS);
      expect(held.longest).toBeLessThan(MAX_HELD_MS);
    }
    expect((await service.call('GET', '/readyz')).status).toBe(200);
  });
});
