// Get Query Status, as the contract has it.

import { expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { ENDLESS_JSON, finished, hold, openCursor, ran, reached, statusOf } from '#test/support/queries.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const QUERIES = '/api/core/queries';
const forbidden = (id: number) => refused(403, 'invalid-query-id', `cannot access query ${id}`);

onEachDatabase(
  'The status of a query',
  (subject) => {
    const { call, clock } = subject;

    it('has every field of the contract', async () => {
      await createLogger(subject, { table: 'web' }).then((logger) =>
        push(subject, logger, { body: '{"a":1}\n{"a":2}\n{"a":3}' }),
      );
      const q = ' setq [ table web | stats max(a) as m ]|table web |search a<$("m")| join a [ table web ]';
      const id = await openCursor(subject, q, { tags: { note: '메모' } });
      const status = await finished(subject, id);
      expect(status).toEqual({
        id,
        source: 'rest-api',
        login_name: 'master',
        remote_ip: '127.0.0.1',
        rows: 2,
        elapsed: 0,
        is_finished: true,
        is_cancelled: false,
        is_scheduled_query: false,
        constants: { m: 3 },
        query_string: q,
        start_time: 1_709_251_200_000,
        finish_time: 1_709_251_200_000,
        last_started: '2024-03-01 09:00:00+0900',
        background: true,
        commands: [
          { command: 'setq [ table web | stats max(a) as m ]', status: 'End', push_count: 0 },
          { command: 'table web', status: 'End', push_count: 3 },
          { command: 'search a < $("m")', status: 'End', push_count: 2 },
          { command: 'join a [ table web ]', status: 'End', push_count: 2 },
        ],
        sub_queries: [
          {
            id: id + 1,
            commands: [
              { name: 0, command: 'table web', status: 'End', push_count: 3 },
              { name: 1, command: 'stats max(a) as m', status: 'End', push_count: 1 },
            ],
          },
          { id: id + 2, commands: [{ name: 0, command: 'table web', status: 'End', push_count: 3 }] },
        ],
        stamp: status.stamp,
        tags: { note: '메모' },
      });
    });

    it('rises in its stamp with every answer, whichever operation answers', async () => {
      const { id, stamp } = await ran(subject, 'json "{}"');
      expect((await statusOf(subject, id)).stamp).toBe(stamp + 1);
      expect((await call('GET', `${QUERIES}?limit=1`)).json.queries[0]).toMatchObject({ id, stamp: stamp + 2 });
      expect((await call('GET', `${QUERIES}/${id}/events`)).text).toContain(`\nid: ${stamp + 3}\n`);
      expect((await statusOf(subject, id)).stamp).toBe(stamp + 4);
    });

    it('tells when execution began and how long it has lasted, until the end', async () => {
      const held = await hold(subject.service.url);
      const waiting = await openCursor(subject, 'json "{}"');
      clock.advance({ seconds: 3 });
      const early = await statusOf(subject, waiting);
      expect(early).toMatchObject({ is_finished: false, elapsed: 3000, finish_time: 0 });
      expect(early.commands).toEqual([{ command: 'json "{}"', status: 'Waiting', push_count: 0 }]);
      const running = await statusOf(subject, held.id);
      expect(running).toMatchObject({ is_finished: false, elapsed: 3000, finish_time: 0 });
      expect(running.commands.map((command: { status: string }) => command.status)).not.toContain('Waiting');
      held.drop();
      const ended = await finished(subject, waiting);
      clock.advance({ seconds: 60 });
      const later = await statusOf(subject, waiting);
      expect(later).toEqual({ ...ended, stamp: ended.stamp + 1 });
      expect(ended).toMatchObject({ elapsed: 0, start_time: early.start_time + 3000, finish_time: ended.start_time });
    });

    it('never takes anything back while it runs', async () => {
      const id = await openCursor(subject, ENDLESS_JSON);
      const seen = [];
      for (let round = 1; round <= 5; round += 1) {
        seen.push(await reached(subject, id, ({ rows }) => rows >= round * 2000));
      }
      const rows = seen.map((status) => status.rows);
      expect(rows).toEqual(rows.toSorted((one, other) => one - other));
      for (const status of seen) expect(status.commands.at(-1).push_count).toBe(status.rows);
      await call('DELETE', `/api/core/cursors/${id}`);
    });

    it('belongs to its account alone: administrators hear the same as of a query that never was', async () => {
      const admin = await createAccount(subject, 'ADMIN', { login: 'administrator' });
      const { id, sub_queries } = await ran(subject, 'json "{}" | union [ json "{}" ]');
      const path = (one: number) => `${QUERIES}/${one}`;
      expect(outcome(await call('GET', path(id), { key: admin.key }))).toEqual(forbidden(id));
      for (const one of [sub_queries[0].id, 2147483647, 0, -1]) {
        expect(outcome(await call('GET', path(one)))).toEqual(forbidden(one));
      }
    });

    it.each(['x', '1e3', '1.0', '2147483648', ' 1'])('is not to be had of %j', async (id) => {
      const complaint = refused(400, 'invalid-param-type', 'query id should be integer type');
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/cancel'],
        ['PUT', '/tags'],
        ['GET', '/events'],
      ] as const) {
        expect(outcome(await call(method, `${QUERIES}/${encodeURIComponent(id)}${path}`))).toEqual(complaint);
      }
    });

    it('tells what is doubtful in a query that runs all the same', async () => {
      const { warnings } = await ran(subject, 'union [ table web ] | limit 1');
      expect(warnings).toEqual(['warning: the rows have no defined order before limit']);
      expect(await ran(subject, 'table web | limit 1')).not.toHaveProperty('warnings');
    });

    it.each([
      [{}, 'rest-api'],
      [{ 'user-agent': 'vigil-java/1.0' }, 'java-client'],
      [{ 'user-agent': 'vigil-python/2 (linux)' }, 'python-client'],
      [{ 'user-agent': 'vigil-shell/1' }, 'console'],
      [{ 'user-agent': 'Mozilla vigil-java/1.0' }, 'rest-api'],
    ])('names the source of a query that came with %j: %s', async (headers, source) => {
      const { id } = await ran(subject, 'json "{}"', { headers });
      expect((await statusOf(subject, id)).source).toBe(source);
    });

    it('names the console as source of what came with its cookie', async () => {
      const { key } = await createAccount(subject, 'MEMBER', { login: 'at-the-console' });
      const login = await call('POST', '/api/core/sessions', { key: null, form: { api_key: key } });
      const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
      const options = { key: null, headers: { cookie, origin: subject.service.url } };
      expect(await ran(subject, 'json "{}"', options)).toMatchObject({ source: 'adhoc', login_name: 'at-the-console' });
    });

    it('is what `system queries` shows, to each what it may see', async () => {
      const { key } = await createAccount(subject, 'MEMBER', { login: 'looking' });
      const own = await rowsOf(subject, 'system queries | fields login_name, query_string, is_finished', { key });
      expect(own).toEqual([
        {
          login_name: 'looking',
          query_string: 'system queries | fields login_name, query_string, is_finished',
          is_finished: false,
        },
      ]);
      const all = await rowsOf(subject, 'system queries | stats count by login_name');
      expect(all.map(({ login_name }) => login_name)).toEqual(['at-the-console', 'looking', 'master']);
    });

    it('is beside the other objects of `system`', async () => {
      const { key } = await createAccount(subject, 'MEMBER', { login: 'member' });
      expect(await rowsOf(subject, 'system nodes')).toMatchObject([
        { name: 'vigil', is_alive: true, address: new URL(subject.service.url).host },
      ]);
      expect((await rowsOf(subject, 'system nodes', { key }))[0]).not.toHaveProperty('address');
      expect(await rowsOf(subject, 'system tables | fields table_name, layout, retention')).toEqual([
        { table_name: 'web', layout: 'columnar', retention: 0 },
      ]);
      expect(await rowsOf(subject, 'system loggers | fields name, table_name, stored, failed')).toEqual([
        { name: 'logger of web', table_name: 'web', stored: 3, failed: 0 },
      ]);
      expect(await rowsOf(subject, 'system tables', { key })).toEqual([]);
      expect(await rowsOf(subject, 'system loggers', { key })).toEqual([]);
    });
  },
  { flags: { 'time-zone': 'Asia/Seoul', 'queries-in-all': '1' } },
);
