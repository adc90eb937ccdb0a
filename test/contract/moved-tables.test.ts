// Tables that are moved between the embedded engine and ClickHouse while they are written and read.

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { runCli } from '#test/support/cli.ts';
import { type ClickhouseServer, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { rowsOf, sent } from '#test/support/logs.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';
import {
  DAY,
  daysOf,
  moveEnded,
  moveOf,
  moveTo,
  pushTo,
  startBeside,
  TABLES,
  tableOf,
} from '#test/support/two-locations.ts';

const { reason } = inject('clickhouse');

/** Values of every kind, some under names whose values are of several types. */
const odd = (n: number) => ({
  n,
  text: `text ${n} 한글 "quoted" \\ ${'x'.repeat(n % 5)}`,
  half: n / 2,
  flag: n % 2 === 0,
  mixed: n % 3 === 0 ? `m${n}` : n,
  ...(n % 4 === 0 ? { nested: { list: [1, 2.5, null, 'a'], big: 1e300 } } : {}),
  ...(n % 5 === 0 ? { nothing: null } : {}),
});

type Caller = Pick<Service, 'call'>;

const askedOf = (service: Caller) =>
  service.call('GET', `/api/core/query?q=${encodeURIComponent('table logs | sort n')}`);

async function pushText(service: Caller, body: string): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  expect((await service.call('POST', `${TABLES}/logs/logs`, { body, headers })).json).toMatchObject({ accepted: 1 });
}

describe.skipIf(reason)('A table that is moved', () => {
  let server: ClickhouseServer;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  it.each(['columnar', 'row'] as const)('keeps each record as it was, to ClickHouse and back (%s)', async (layout) => {
    const today = Date.now();
    const records = Array.from({ length: 60 }, (_, n) => ({ ...odd(n), _time: today - (n % 3) * DAY - n }));
    await using embedded = await startService({ alone: 'embedded' });
    await created(embedded, TABLES, { table: 'logs', layout });
    await pushTo(embedded, 'logs', records);
    const exact = `{"n":60,"_time":${today},"long":12345678901234567890123,"list":[1.50,{"a":1e2}],"한글":" \\u0041"}`;
    await pushText(embedded, exact);
    const all = (await askedOf(embedded)).text;
    await embedded.stop();

    await using service = await startBeside(embedded, logsUrl([server], await server.createDatabase()));
    expect(await moveOf(service, 'logs')).toBeNull();
    for (const [to, from] of [
      ['clickhouse', 'embedded'],
      ['embedded', 'clickhouse'],
      ['clickhouse', 'embedded'],
    ]) {
      const begun = await moveTo(service, 'logs', to ?? '');
      expect(begun.json).toEqual({ id: expect.any(String) });
      await moveEnded(service, 'logs');
      expect(await moveOf(service, 'logs')).toMatchObject({
        id: begun.json.id,
        from,
        to,
        state: 'finished',
        days_done: 3,
        days_left: 0,
        rows: 61,
        user_name: 'master',
        error: null,
        started: expect.any(String),
        finished: expect.any(String),
      });
      expect(await tableOf(service, 'logs')).toMatchObject({ engine: to });
      expect((await askedOf(service)).text).toBe(all);
    }
    await pushTo(service, 'logs', [{ n: 61, _time: today }]);
    const ids = (await rowsOf(service, 'table logs')).map(({ _id }) => Number(_id));
    expect(new Set(ids).size).toBe(62);
    expect(Math.max(...ids)).toBe((await rowsOf(service, 'table logs | search n == 61'))[0]?._id);
  });

  it('stays where it is while a journal of it is damaged', async () => {
    await using embedded = await startService({ alone: 'embedded' });
    await created(embedded, TABLES, { table: 'logs' });
    await pushTo(embedded, 'logs', daysOf(1));
    await embedded.stop();
    const [journal = ''] = globSync('tables/*/*.journal', { cwd: embedded.config.data });
    const path = join(embedded.config.data, journal);
    const bytes = readFileSync(path);
    bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 1;
    writeFileSync(path, bytes);
    await using service = await startBeside(embedded, logsUrl([server], await server.createDatabase()));
    expect((await moveTo(service, 'logs', 'clickhouse')).status).toBe(200);
    await moveEnded(service, 'logs', 'failed');
    const error = `table is damaged: logs [file: ${basename(path)}]`;
    expect(await moveOf(service, 'logs')).toMatchObject({ error });
  });

  it('is moved whole where its days are those of another zone', async () => {
    await using embedded = await startService({ alone: 'embedded' });
    await embedded.stop();
    const logs = logsUrl([server], await server.createDatabase());
    const noon = Temporal.Now.zonedDateTimeISO('UTC').with({ hour: 12 }).subtract({ days: 3 }).epochMilliseconds;
    const records = Array.from({ length: 24 }, (_, n) => ({ n, _time: noon + n * 3_600_000 }));
    {
      await using service = await startBeside(embedded, logs, { 'time-zone': 'UTC' });
      await created(service, TABLES, { table: 'logs' });
      await pushTo(service, 'logs', records);
    }
    await using service = await startBeside(embedded, logs, { 'time-zone': 'Asia/Seoul' });
    expect((await moveTo(service, 'logs', 'embedded')).status).toBe(200);
    await moveEnded(service, 'logs');
    expect(await rowsOf(service, 'table logs | stats count, dc(_id) as ids')).toEqual([{ count: 24, ids: 24 }]);
  });

  it('is written and read meanwhile: no count is wrong, and no record is read twice', async () => {
    const today = Date.now();
    await using embedded = await startService({ alone: 'embedded' });
    await created(embedded, TABLES, { table: 'logs' });
    const days = 6;
    for (let day = 0; day < days; day += 1) {
      const some = Array.from({ length: 500 }, (_, n) => ({ n: day * 500 + n, _time: today - day * DAY - n }));
      await pushTo(embedded, 'logs', some);
    }
    await embedded.stop();
    await using service = await startBeside(embedded, logsUrl([server], await server.createDatabase()));
    let pushed = days * 500;
    let isOver = false;
    const pushing = async () => {
      while (!isOver) {
        const first = pushed;
        const extra = `e${pushed % 7}`;
        const some = Array.from({ length: 10 }, (_, n) => ({
          n: first + n,
          [extra]: n,
          _time: today - (n % days) * DAY - n,
        }));
        await pushTo(service, 'logs', some);
        pushed += 10;
      }
    };
    const seen = new Set<unknown>();
    const asking = async () => {
      while (!isOver) {
        const before = pushed;
        const [row] = await rowsOf(service, 'table logs | stats count, dc(_id) as ids, dc(n) as numbers');
        expect(row?.count).toBeGreaterThanOrEqual(before);
        expect(row?.count).toBeLessThanOrEqual(pushed + 10);
        expect([row?.ids, row?.numbers]).toEqual([row?.count, row?.count]);
        const [counted] = await rowsOf(service, 'table logs | stats count');
        expect(counted?.count).toBeGreaterThanOrEqual(before);
        expect(counted?.count).toBeLessThanOrEqual(pushed + 10);
        seen.add((await tableOf(service, 'logs')).engine);
      }
    };
    const running = Promise.all([pushing(), asking()]);
    running.catch(() => undefined);
    try {
      for (const to of ['clickhouse', 'embedded']) {
        expect((await moveTo(service, 'logs', to)).status).toBe(200);
        await moveEnded(service, 'logs');
      }
    } finally {
      isOver = true;
      await running;
    }
    expect(seen).toContain('both');
    const numbers = (await rowsOf(service, 'table logs | sort n')).map(sent).map(({ n }) => n);
    expect(numbers).toEqual(Array.from({ length: pushed }, (_, n) => n));
  });

  it('is moved by the command, which shows how far it is', async () => {
    await using embedded = await startService({ alone: 'embedded' });
    await created(embedded, TABLES, { table: 'logs' });
    await pushTo(embedded, 'logs', daysOf(2));
    await embedded.stop();
    await using service = await startBeside(embedded, logsUrl([server], await server.createDatabase()));
    const vigil = (args: readonly string[], LANG = 'en_US.UTF-8') =>
      runCli(['table', 'move', 'logs', ...args], {
        environment: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, LANG },
      });
    const there = await vigil(['--to', 'clickhouse', '--wait']);
    expect([there.exitCode, there.stdout]).toEqual([0, '']);
    expect(there.stderr.split('\n').slice(-3)).toEqual([
      '2 days are done, 0 are left, 20 records are moved.',
      'The table logs is moved to clickhouse.',
      '',
    ]);
    const back = await vigil(['--to', 'embedded', '--wait', '--json'], 'ko_KR.UTF-8');
    expect(back.stderr).toContain('2일 완료, 0일 남음, 레코드 20건 이동.\nlogs 테이블을 옮겼습니다. 대상: embedded\n');
    expect(JSON.parse(back.stdout)).toEqual(await moveOf(service, 'logs'));
    const begun = await vigil(['--to', 'clickhouse', '--json']);
    expect(JSON.parse(begun.stdout)).toEqual({ id: (await moveOf(service, 'logs')).id });
    expect(begun).toMatchObject({ exitCode: 0, stderr: 'The table logs is being moved to clickhouse.\n' });
    await moveEnded(service, 'logs');
    const refusal = 'vigil: table is not being moved: logs (illegal-state)\n';
    expect(await vigil(['--cancel'])).toEqual({ exitCode: 1, stdout: '', stderr: refusal });
    for (const args of [[], ['--to', 'embedded', '--cancel']]) expect(await vigil(args)).toMatchObject({ exitCode: 2 });
  });

  it('is heard at its new place by a window that began before', async () => {
    await using embedded = await startService({ alone: 'embedded' });
    await created(embedded, TABLES, { table: 'logs' });
    await pushTo(embedded, 'logs', [{ n: 0 }]);
    await embedded.stop();
    await using service = await startBeside(embedded, logsUrl([server], await server.createDatabase()));
    const stop = new AbortController();
    const q = encodeURIComponent('table window=10m logs');
    const asking = fetch(`${service.url}/api/core/query?q=${q}`, {
      headers: { authorization: `Bearer ${MASTER_KEY}` },
      signal: stop.signal,
    });
    const heard = numbersIn(asking);
    const isHeard = async (n: number) => {
      await pushTo(service, 'logs', [{ n }]);
      return heard.size > 0;
    };
    // Until the window has begun nothing is heard.
    let next = 1;
    await expect.poll(() => isHeard(next++)).toBe(true);
    for (const to of ['clickhouse', 'embedded']) {
      expect((await moveTo(service, 'logs', to)).status).toBe(200);
      await moveEnded(service, 'logs');
      const last = next++;
      await pushTo(service, 'logs', [{ n: last }]);
      await expect.poll(() => heard.has(last)).toBe(true);
    }
    stop.abort();
    await asking.catch(() => undefined);
  });
});

/** The values of `n` in the rows that have come, as they come. */
function numbersIn(answer: Promise<Response>): ReadonlySet<number> {
  const numbers = new Set<number>();
  const read = async () => {
    let rest = '';
    for await (const piece of (await answer).body ?? []) {
      const lines = (rest + Buffer.from(piece).toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') numbers.add(JSON.parse(line).n);
    }
  };
  read().catch(() => undefined);
  return numbers;
}
