// vigil tail at a service, and the windows that it follows one after the other.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '#cli/kit/client.ts';
import { createAccount, createKey } from '#test/support/accounts.ts';
import { startProxy } from '#test/support/breaking-proxy.ts';
import { runCli } from '#test/support/cli.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { isRunning } from '#test/support/queries.ts';
import { MASTER_KEY, type Service, startService, type Wire } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { FollowedRecords } from './followed-records.ts';

const EXECUTABLE = join(import.meta.dirname, '../../../bin/vigil.js');

describe('vigil tail', () => {
  let service: Service;
  let logger = '';
  let seoulKey = '';
  beforeAll(async () => {
    service = await startService();
    logger = await createLogger(service, { table: 'web' });
    const { guid } = await createAccount(service, 'ADMIN', { login: 'kim', time_zone: 'Asia/Seoul' });
    seoulKey = (await createKey(service, guid)).key;
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  const send = (...records: readonly object[]) =>
    push(service, logger, { body: records.map((record) => JSON.stringify(record)).join('\n') });

  const running = async (): Promise<Wire[]> =>
    (await service.call('GET', '/api/core/queries?is_finished=false')).json.queries;

  /** The id of the only query that runs, once it reads what arrives. */
  async function newWindow(before: number | undefined = undefined): Promise<number> {
    const [query] = await until(running, ([first]) => first !== undefined && first.id !== before && isRunning(first));
    return query.id;
  }

  function tail(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [EXECUTABLE, 'tail', ...args], {
      env: { PATH: process.env.PATH ?? '', VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, LANG: 'C', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      output.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output.stderr += chunk;
    });
    const close = once(child, 'close');
    return {
      child,
      output,
      close,
      shows: (text: string) =>
        until(
          async () => output.stdout + output.stderr,
          (shown) => shown.includes(text),
        ),
    };
  }

  it('prints records as they arrive, tells and mends a lost connection, and ends with Ctrl-C', async () => {
    await using proxy = await startProxy(service.url, Number.POSITIVE_INFINITY);
    // The first answer with rows.
    proxy.swallow('GET /api/core/cursors/');
    await send({ n: 0, _time: '2026-11-15 00:59:59.000+0000' });
    const query = 'table duration=1h order=asc web | search n > 0';
    const { child, output, close, shows } = tail([query], { VIGIL_URL: proxy.url, VIGIL_KEY: seoulKey });
    const first = await newWindow();
    await send({ n: 1, line: 'GET \u001b[2J', who: '김 철수', _time: '2026-11-15 01:00:00.250+0000' });
    await shows('철수');
    await service.call('DELETE', `/api/core/cursors/${first}`, { key: seoulKey });
    await newWindow(first);
    await send({ n: 2, _time: '2026-11-15 03:00:00.000+0000' });
    await shows('n=2');
    child.kill('SIGINT');
    await close;
    expect(output.stdout.split('\n')).toEqual([
      '2026-11-15 10:00:00.250+0900  GET ·[2J n=1 who="김 철수"',
      '2026-11-15 12:00:00.000+0900  n=2',
      '',
    ]);
    expect(output.stderr.replace(/: no answer from .*/, ': …').split('\n')).toEqual([
      'Waiting for new records; Ctrl-C ends it.',
      'The connection is lost and tried again: …',
      'The connection is back.',
      'The service has begun anew or the output was too slow: records may be missing here.',
      '',
    ]);
    expect([child.exitCode, await running()]).toEqual([130, []]);
  });

  it('prints lines of JSON as the service gave them, and ends with its reader', async () => {
    const { child, close, shows, output } = tail(['web', '--json']);
    await newWindow();
    await send({ n: 9007199254740993n.toString(), big: 1 }, { n: 5, _time: '2026-11-15 01:00:00.000+0000' });
    await shows('"n":5');
    expect(output.stdout.split('\n')[1]).toMatch(
      /^\{"_table":"web","_time":"2026-11-15 01:00:00\.000\+0000","_id":\d+,"n":5\}$/,
    );
    child.stdout.destroy();
    await until(
      async () => {
        await send({ n: 6 });
        return child.exitCode;
      },
      (code) => code !== null,
    );
    await close;
    expect([child.exitCode, await running()]).toEqual([0, []]);
  });

  it.each([
    ['table web | stats count', 'C', /^vigil: `stats` computes over all rows: /],
    ['json "{}"', 'ko_KR.UTF-8', /^vigil: vigil tail은 `table`이나 `fulltext`의 레코드만 따라갑니다: `json`\n$/],
    ['wbe', 'C', /^vigil: line 1, column 7: there is no table wbe \(10001\)\n {2}table wbe\n/],
  ])('refuses %s', async (text, LANG, says) => {
    const environment = { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, LANG };
    const { exitCode, stdout, stderr } = await runCli(['tail', text], { environment });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
  });
});

describe('Records that vigil tail follows', () => {
  const subject = serviceFor();
  let logger = '';
  beforeAll(async () => {
    logger = await createLogger(subject, { table: 'web' });
  });

  it('come once each, also those that two windows have', async () => {
    const { clock } = subject;
    const told: string[] = [];
    const ending = new AbortController();
    const deps = {
      client: connect({ flags: {}, environment: { VIGIL_URL: subject.service.url, VIGIL_KEY: MASTER_KEY } }),
      clock,
      signal: ending.signal,
      onLost: () => told.push('lost'),
      onFound: () => told.push('found'),
      onGap: () => told.push('gap'),
      failureOf: () => undefined,
    };
    // Rows without an id are alike: n is the same for two that follow each other.
    const text = 'table window=600s web | search k == 1 | fields n';
    await using records = new FollowedRecords(deps, { text, windowMs: 600_000, overlapMs: 300_000 });
    const shown: number[] = [];
    const reading = (async () => {
      for await (const line of records.lines()) shown.push(JSON.parse(line).n);
    })().catch(() => undefined);
    let newest = 0;
    const nextWindow = async () => {
      const running = async (): Promise<Wire[]> => {
        clock.advance({ milliseconds: 200 });
        return (await subject.call('GET', '/api/core/queries?is_finished=false')).json.queries;
      };
      const all = await until(running, (some) => some.every(isRunning) && some.some(({ id }) => id > newest));
      newest = Math.max(...all.map(({ id }) => id));
    };
    const sent: number[] = [];
    const send = async () => {
      const numbers = [0, 0, 1].map((further) => Math.floor(sent.length / 3) + further);
      sent.push(...numbers);
      await push(subject, logger, { body: numbers.map((n) => `{"k":1,"n":${n}}\n{"k":2}`).join('\n') });
      // Pauses between requests pass, too.
      await until(
        async () => {
          clock.advance({ milliseconds: 200 });
          return shown.length;
        },
        (length) => length >= sent.length,
      );
    };
    await nextWindow();
    for (let round = 0; round < 4; round += 1) {
      await send();
      await send();
      clock.advance({ seconds: 300 });
      await nextWindow();
    }
    await send();
    ending.abort();
    await reading;
    expect([shown, told]).toEqual([sent, []]);
  });
});
