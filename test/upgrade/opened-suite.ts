// What holds for an installation that an earlier version wrote when this one opens it: nothing is lost, and everything goes on. The
// tests follow each other on one copy of its fixture.

import { globSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listening } from '#test/support/listening.ts';
import { rowsOf } from '#test/support/logs.ts';
import { slotsOf } from '#test/support/scheduled-queries.ts';
import type { Service, Wire } from '#test/support/service.ts';
import { inStore } from '#test/support/stopped-store.ts';
import { until } from '#test/support/until.ts';
import { append, complete, offsetOf } from '#test/support/uploads.ts';
import { type Fixture, readManifest } from './fixtures.ts';
import { compareAnswers, type OpenedFixture, verifyAudit } from './opened-fixture.ts';

/** Field of the records that this version writes. */
const MARK = 'written_by_this_version';

/** Defines the tests in the suite of a fixture. `open` starts this version on a copy of it. */
export function defineOpened(fixture: Fixture, open: () => Promise<OpenedFixture>): void {
  const manifest = readManifest(fixture);
  let opened: OpenedFixture;
  const call: Service['call'] = (...request) => opened.service.call(...request);
  const rows = (q: string) => rowsOf({ call }, q);
  const pushTo = (table: string, record: object, key = manifest.master_key) =>
    call('POST', `/api/core/tables/${table}/logs`, { json: record, key });

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  it('starts without a warning', () => {
    expect([opened.log.errors, opened.log.warnings]).toEqual([[], []]);
  });

  it('returns every object as before', async () => {
    for (const { path, answer } of manifest.objects) {
      const { json } = await call('GET', path);
      expect({ path, answer: json }).toMatchObject({ path, answer });
    }
  });

  it('answers every query as before', () => compareAnswers(opened));

  it('has each unsealed record once', async () => {
    const tables = manifest.tables.filter(({ unsealed }) => unsealed.length > 0);
    const found = tables.map(async ({ name, unsealed: [first] }) => {
      const records = await rows(`table ${name} | search n >= ${first} | sort n | fields n`);
      return [name, records.map(({ n }) => n)];
    });
    expect(await Promise.all(found)).toEqual(tables.map(({ name, unsealed }) => [name, unsealed]));
  });

  it('accepts every key with its role, and the open session, and refuses a revoked key', async () => {
    for (const { login, role, scope, key, revoked } of manifest.keys) {
      const { status, json } = await call('GET', '/api/core/sessions', { key });
      if (revoked) expect([login, status]).toEqual([login, 401]);
      else if (scope === 'push') expect(json).toMatchObject({ error_msg: 'no-permission' });
      else expect(json).toMatchObject({ via: 'key', user: { login, role_name: role } });
    }
    const { json } = await call('GET', '/api/core/sessions', { key: null, headers: { cookie: manifest.cookie } });
    expect(json).toMatchObject({ via: 'cookie', user: { login: 'master' } });
  });

  it('seals and merges the records, and answers every query as before', async () => {
    const before = filesOf(opened);
    expect(before.journals).not.toEqual([]);
    expect(before.fast).not.toEqual([]);
    await passUntil(opened, (files) => files.journals.length === 0 && files.fast.length === 0);
    await compareAnswers(opened);
  });

  it('resumes and completes every upload', async () => {
    for (const { token, table, offset, rest, rows: count, source } of manifest.uploads) {
      expect(await offsetOf({ call }, token)).toBe(offset);
      expect((await append({ call }, token, { offset, body: rest })).status).toBe(204);
      expect((await complete({ call }, token)).json).toMatchObject({ accepted: count, rejected_count: 0 });
      expect(await rows(`table ${table} | search source == "${source}" | stats count`)).toEqual([{ count }]);
    }
  });

  it.each(manifest.rules)('raises an event for a new record: $path $guid', async ({ guid, table, record, msg }) => {
    const { clock } = opened;
    const before: Wire[] = (await call('GET', `/api/core/events?rule_guids=${guid}`)).json.events;
    expect(before.map((event) => event.msg)).not.toContain(msg);
    expect((await pushTo(table, record)).json).toMatchObject({ accepted: 1 });
    const raised = await until(
      async (): Promise<Wire[]> => {
        clock.advance({ seconds: 30 });
        return (await call('GET', `/api/core/events?rule_guids=${guid}`)).json.events;
      },
      (events) => events.some((event) => event.msg === msg),
    );
    expect(raised.map((event) => event.msg)).toEqual(
      expect.arrayContaining([msg, ...before.map((event) => event.msg)]),
    );
  });

  it.each(manifest.schedules)('runs the next slots of the scheduled query %s', async (guid) => {
    const started = Temporal.Instant.from(manifest.written_at).epochMilliseconds;
    const isNew = ({ slot_time, state }: Wire) => state === 'succeeded' && timeOf(slot_time) > started;
    const slots = await until(
      async () => {
        opened.clock.advance({ seconds: 30 });
        return await slotsOf({ call }, guid);
      },
      (found) => found.some(isNew),
    );
    expect(slots.some(isNew)).toBe(true);
  });

  it('stores new records in every table beside the old ones, and keeps them over sealing and a restart', async () => {
    const counted = async () => {
      const counts = manifest.tables.map(async ({ name }) => {
        const [{ all, mine }] = await rows(`table ${name} | stats count as all, count(${MARK}) as mine`);
        return { name, mine, hasOld: all > mine };
      });
      return await Promise.all(counts);
    };
    const expected = manifest.tables.map(({ name }) => ({ name, mine: 1, hasOld: true }));
    const key = manifest.keys.find(({ login }) => login === 'admin')?.key;
    for (const { name } of manifest.tables) {
      const { json } = await pushTo(name, { [MARK]: true, n: '새 기록', 새_필드: { a: [1] } }, key);
      expect([name, json]).toMatchObject([name, { accepted: 1 }]);
    }
    expect(await counted()).toEqual(expected);
    expect(filesOf(opened).journals).not.toEqual([]);
    await passUntil(opened, ({ journals }) => journals.length === 0);
    expect(await counted()).toEqual(expected);
    await opened.service.restart();
    expect(await counted()).toEqual(expected);
    expect(opened.log.errors).toEqual([]);
  });

  it('is proven by `audit verify`, from its first entry to those of this version', async () => {
    const { json } = await call('POST', '/api/core/companies', { form: { name: 'made by this version' } });
    expect(json.guid).toMatch(/^[\da-f-]{36}$/);
    const { exitCode, verdict } = await verifyAudit(opened.copy);
    const { ok, head, entries } = verdict;
    expect({ exitCode, ok, method: head.method, entries }).toEqual({
      exitCode: 0,
      ok: true,
      method: 'create',
      entries: head.id,
    });
    expect(head.id).toBeGreaterThan(manifest.audit_head.id);
    const { id, hash } = manifest.audit_head;
    expect(await opened.copy.sql(`select hash from audit_entries where id = ${id}`)).toMatchObject([{ hash }]);
  });

  it('is not migrated again by a second start', async () => {
    const ledger = () => opened.copy.sql('select number, name from migrations order by number');
    const before = await ledger();
    expect(before.length).toBeGreaterThan(0);
    await opened.service.restart();
    expect(await ledger()).toEqual(before);
  });

  it('sends the sealed header of a connection profile', async () => {
    const received: Wire[] = [];
    const server = createServer(({ headers }, answer) => {
      received.push(headers);
      answer.end();
    });
    const url = `${await listening(server)}/`;
    const { guid, header } = manifest.connection_profile;
    const path = `/api/core/connection-profiles/${guid}`;
    // A change over the interface would remove the headers, which were meant for the address of the fixture.
    await opened.service.stop();
    await inStore(opened, (db) =>
      db.updateTable('connection_profiles').set({ url }).where('guid', '=', guid).execute(),
    );
    await opened.service.restart();
    expect((await call('POST', `${path}/test`)).json).toMatchObject({ ok: true });
    expect(received[0]).toMatchObject(Object.fromEntries([header]));
    server.close();
  });
}

/** Epoch milliseconds of a time on the wire. */
const timeOf = (text: string): number => Date.parse(text.replace(/(\d\d)$/, ':$1'));

/** Tables of the dense compression have no segments with the fast codec. */
const FAST = /^(?!.*_deflate\.)(?!.*zstd).*\/202[34]-[\d-]+\/[^/]*\.parquet$/;

interface Files {
  /** Journals that hold records. */
  readonly journals: readonly string[];
  /** Segments with the fast codec, of days that this version rewrites with the dense one. */
  readonly fast: readonly string[];
}

function filesOf({ copy }: OpenedFixture): Files {
  const files = globSync('tables/**/*.{journal,parquet}', { cwd: copy.data });
  const bytesIn = (file: string) => statSync(join(copy.data, file), { throwIfNoEntry: false })?.size ?? 0;
  return {
    journals: files.filter((file) => file.endsWith('.journal') && bytesIn(file) > 0),
    fast: files.filter((file) => FAST.test(file)),
  };
}

/** Lets fresh records become due and time pass until the files are as `isSo` demands. */
async function passUntil(opened: OpenedFixture, isSo: (files: Files) => boolean): Promise<void> {
  opened.clock.advance({ minutes: 6 });
  const files = await until(async () => {
    opened.clock.advance({ seconds: 10 });
    return filesOf(opened);
  }, isSo);
  expect(files).toSatisfy(isSo);
}
