// The live set over a store: schemas that logs bring along, changes of address groups that come out of turn, and rules that
// are gone when something is raised.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RaiseResult } from '#detection/events/raise-events.ts';
import { removeRule, writeVersion } from '#detection/rules/rule-store.ts';
import type { Snapshot } from '#detection/rules/snapshot.ts';
import type { Finding, Log } from '#ingest/intake.ts';
import { newGuid } from '#kernel/guid.ts';
import { insertTable } from '#logs/stores/embedded/storage/catalog.ts';
import { raiseVersion } from '#store/rows/addresses.ts';
import { openStore, type Store } from '#store/store.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { Vault } from '#vault/vault.ts';
import { StreamRules } from './stream-rules.ts';

const GROUP = '11111111-1111-1111-1111-111111111111';
const TABLE = { id: 1, name: 'web', layout: 'row', compression: 'snappy' } as const;
const ORIGIN = { loggerGuid: newGuid(), modelGuid: newGuid() };
const STEPS = 1000;
const AUTHOR = { userGuid: newGuid(), login: 'master', companyGuid: newGuid() };

const logOf = (fields: object, schema?: string): Log => ({
  time: 0,
  text: JSON.stringify(fields),
  shape: { names: [], types: [] },
  ...(schema === undefined ? {} : { schema }),
});

describe('Stream rules over a store', () => {
  let folder: string;
  let store: Store;
  let vault: Vault;
  let rules: StreamRules;
  let raised: RaiseResult[];
  let failures: string[];
  const clock = new ManualClock('2026-11-15T00:00:00Z');
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-stream-'));
    store = await openStore(folder, { groupCommitted() {}, storeFailed() {} });
    raised = [];
    failures = [];
    const unexpected = (what: unknown) => {
      throw new Error(`unexpected: ${String(what)}`);
    };
    ({ vault } = await Vault.open(store, { keys: join(folder, 'keys') }));
    rules = new StreamRules({
      store,
      vault,
      clock,
      zone: 'UTC',
      ruleSteps: STEPS,
      failures: {
        get isAnyFailing() {
          return failures.some((failure) => failure.includes('too many steps'));
        },
        // The schemas of these rules are not there.
        broken() {},
        recovered() {},
        removed() {},
        failed: ({ guid }, reason) => void failures.push(`${guid} ${reason}`),
        works: ({ guid }) => void failures.push(`${guid} works`),
      },
      stepsExceeded: (kind, logs) => void failures.push(`${kind} ${logs}`),
      raised: async (outcome) => void raised.push(outcome),
      onCapped: unexpected,
      broken: unexpected,
      failed: unexpected,
    });
    rules.open();
  });
  afterEach(async () => {
    await rules.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  async function writeRule(schema_code: string, query: string, more: Snapshot = {}, guid = newGuid()): Promise<string> {
    const commands = [{ template_id: 1, query, invert: false, ordinal: 1 }];
    const snapshot = { priority: 'HIGH', name: guid, msg: 'found', schema_code, commands, ...more };
    const now = clock.now().epochMilliseconds;
    const version = { kind: 'stream', guid, snapshot, change: 'create', comment: null, author: AUTHOR, now } as const;
    await store.write((db) => writeVersion(db, version, true));
    return guid;
  }

  /** Of logs that are kept from the `_id` 100 on. */
  async function look(logs: readonly Log[], schemaCode: string | null): Promise<Finding | undefined> {
    const examination = rules.examine({ table: TABLE, schemaCode, origin: ORIGIN, protocol: 'http' });
    await examination.add(logs);
    const finding = examination.finding();
    examination.number((index) => 100 + index);
    examination.kept();
    return finding;
  }

  /** How often each rule matches. */
  async function matched(schemaCode: string | null, ...logs: Log[]): Promise<Record<string, number>> {
    const finding = await look(logs, schemaCode);
    raised = [];
    if (finding) await store.write((db) => finding.raise(db));
    await finding?.raised();
    return Object.fromEntries(raised.map(({ rule, matches }) => [rule.guid, matches]));
  }

  it('look at a log by the schema that it was given, else by that of its table', async () => {
    const one = await writeRule('one', 'search a');
    const other = await writeRule('other', 'search a');
    await rules.changed([one, other]);
    const logs = [logOf({ a: 1 }), logOf({ a: 2 }, 'other'), logOf({ a: 3, _schema: 'one' }, 'none')];
    expect(await matched('one', ...logs)).toEqual({ [one]: 1, [other]: 1 });
    expect(await matched(null, ...logs)).toEqual({ [other]: 1 });
  });

  it('take changes of address groups in their order, and read again what was missed', async () => {
    const times = { created_at: 0, updated_at: 0 };
    await store.write(async (db) => {
      const group = { guid: GROUP, name: 'g', description: null, version: 0, search: '' };
      await db
        .insertInto('address_groups')
        .values({ ...group, ...times })
        .execute();
    });
    const more = { condition_groups: { [GROUP]: null } };
    const rule = await writeRule('one', `matchnet field=ip guid=${GROUP}`, more);
    await rules.changed([rule]);
    const address = { guid: newGuid(), group_guid: GROUP, hits: 0, description: null, expires_at: null, search: '' };
    const added = (ip: string) =>
      store.write(async (db) => {
        await db
          .insertInto('addresses')
          .values({ ...address, guid: newGuid(), ip, ...times })
          .execute();
        return { group: GROUP, version: await raiseVersion(db, GROUP), added: [{ ip, expires_at: null }], removed: [] };
      });
    const isKnown = async (ip: string) => rule in (await matched('one', logOf({ ip })));
    const first = await added('10.0.0.1');
    const second = await added('10.0.0.2');
    const third = await added('10.0.0.3');
    await rules.addressesChanged(third);
    expect(await isKnown('10.0.0.1')).toBe(true);
    await rules.addressesChanged({ ...first, added: [], removed: ['10.0.0.1'] });
    await rules.addressesChanged(second);
    expect([await isKnown('10.0.0.1'), await isKnown('10.0.0.3'), await isKnown('10.0.0.4')]).toEqual([
      true,
      true,
      false,
    ]);
    await rules.addressesChanged({ group: GROUP, version: 4, added: [], removed: ['10.0.0.1'] });
    expect([await isKnown('10.0.0.1'), await isKnown('10.0.0.2')]).toEqual([false, true]);
  });

  it('read rules once for many objects that are made at the same time', async () => {
    const rule = await writeRule('one', `matchnet field=ip guid=${GROUP}`, { condition_groups: { [GROUP]: null } });
    await rules.changed([rule]);
    await store.write(async (db) => {
      const group = { guid: GROUP, name: 'g', description: null, version: 0, search: '', created_at: 0, updated_at: 0 };
      await db.insertInto('address_groups').values(group).execute();
      const address = { guid: newGuid(), group_guid: GROUP, ip: '10.0.0.1', hits: 0, expires_at: null };
      const rest = { description: null, search: '', created_at: 0, updated_at: 0 };
      await db
        .insertInto('addresses')
        .values({ ...address, ...rest })
        .execute();
    });
    using read = vi.spyOn(store, 'read');
    const others = Array.from({ length: 20 }, () => newGuid());
    await Promise.all([...others, GROUP].map((guid) => rules.referredChanged('address group', guid)));
    expect(read).toHaveBeenCalledTimes(1);
    expect(await matched('one', logOf({ ip: '10.0.0.1' }))).toEqual({ [rule]: 1 });
    await Promise.all(['address group', 'logger'].map((thing) => rules.referredChanged(thing as 'logger', newGuid())));
    expect(read).toHaveBeenCalledTimes(2);
  });

  describe('whose findings were written down', () => {
    /** As the next process raises them: how often each rule matches. */
    async function raisedLater(
      logs: readonly Log[],
      between?: () => Promise<unknown>,
    ): Promise<Record<string, number>> {
      const contents = await store.write(async (db) => await (await look(logs, 'one'))?.contents(db));
      await between?.();
      if (!contents) throw new Error('nothing was found');
      const finding = await rules.restored(TABLE.id, contents);
      await store.write((db) => finding.raise(db));
      await finding.raised();
      return Object.fromEntries(raised.map(({ rule, matches }) => [rule.guid, matches]));
    }

    it('raise them as they were, in as many parts as it takes', async () => {
      const guids = [await writeRule('one', 'search a'), await writeRule('one', 'search a > 1')];
      await rules.changed(guids);
      const long = 'x'.repeat(400_000);
      const logs = [1, 2, 3, 4].map((a) => logOf({ a, long }));
      expect(await raisedLater(logs)).toEqual({ [guids[0] ?? '']: 4, [guids[1] ?? '']: 3 });
      const events = await store.reader.all('select fields from events', []);
      expect(events.map(({ fields }) => JSON.parse(String(fields))).filter(({ a }) => a === 3)).toEqual([
        { a: 3, long, _table: 'web', _time: expect.anything() },
        { a: 3, long, _table: 'web', _time: expect.anything() },
      ]);
    });

    it('raise nothing of a rule that is gone', async () => {
      const guids = [await writeRule('one', 'search a'), await writeRule('one', 'search a')];
      await rules.changed(guids);
      const [gone = '', left = ''] = guids;
      expect(await raisedLater([logOf({ a: 1 })], () => store.write((db) => removeRule(db, 'stream', gone)))).toEqual({
        [left]: 1,
      });
    });

    it('have sealed those of an encrypted table', async () => {
      await rules.changed([await writeRule('one', 'search a')]);
      await encryptTable();
      const logs = [logOf({ a: 'needle' })];
      const contents = await store.write(async (db) => await (await look(logs, 'one'))?.contents(db));
      expect(contents).toMatchObject({ isSealed: true });
      expect(JSON.stringify(contents)).not.toContain('needle');
      expect(Object.values(await raisedLater(logs))).toEqual([1]);
    });
  });

  async function encryptTable(): Promise<void> {
    const guid = newGuid();
    const algorithm = 'aes-256-gcm' as const;
    const times = { created_at: 0, updated_at: 0 };
    const wrapped_key = vault.wrapped(guid, algorithm, Buffer.alloc(32, 1), []);
    await store.write(async (db) => {
      const profile = { guid, name: 'p', description: null, algorithm, wrapped_key, search: '', ...times };
      await db.insertInto('crypto_profiles').values(profile).execute();
      const row = {
        ...TABLE,
        retention: 0,
        schema_code: null,
        crypto_profile_guid: guid,
        encrypted: 1,
        search: '',
        ...times,
      };
      await insertTable(db, row);
    });
    await vault.keyOf(guid);
  }

  it('raise nothing of a rule that was removed and made again since it looked', async () => {
    const rule = await writeRule('one', 'search a');
    await rules.changed([rule]);
    const finding = await look([logOf({ a: 1 })], 'one');
    await store.write((db) => removeRule(db, 'stream', rule));
    clock.advance({ seconds: 1 });
    await writeRule('one', 'search a', {}, rule);
    await store.write(async (db) => await finding?.raise(db));
    await finding?.raised();
    expect(raised).toEqual([]);
    await rules.changed([rule]);
    expect(await matched('one', logOf({ a: 1 }))).toEqual({ [rule]: 1 });
  });

  describe('whose steps are bounded', () => {
    const dear = 'search len(foreach(_1 + 1, list)) > 5';
    const logWith = (elements: number) => logOf({ list: Array.from({ length: elements }, (_, n) => n), a: 1 });

    it('do not match a log that takes more; others do, and it is told which log of which rule', async () => {
      const rule = await writeRule('one', dear);
      const other = await writeRule('one', 'search a == 1');
      await rules.changed([rule, other]);
      expect(await matched('one', logWith(100), logWith(900), logWith(20))).toEqual({ [rule]: 2, [other]: 3 });
      expect(failures).toEqual(['stream 1', `${rule} too many steps: table web, _id 101, rule ${rule}`]);
    });

    it('judge a log no more when others have taken ten times as much for it', async () => {
      const guids: string[] = [];
      for (let count = 0; count < 14; count += 1) guids.push(await writeRule('one', `${dear} or b == ${count}`));
      await rules.changed(guids);
      // Each takes some 900 of 1,000 steps.
      expect(Object.keys(await matched('one', logWith(430))).length).toBeGreaterThan(5);
      const spent = failures.filter((failure) => failure.includes('too many steps of the rules before it'));
      expect(spent.length).toBeGreaterThan(0);
      expect(spent[0]).toMatch(/: table web, _id 100, rule /);
    });

    it('tell that they have judged a log once they have failed', async () => {
      const rule = await writeRule('one', dear);
      await rules.changed([rule]);
      await matched('one', logWith(20));
      expect(failures).toEqual([]);
      await matched('one', logWith(900));
      await matched('one', logWith(20));
      expect(failures.at(-1)).toBe(`${rule} works`);
    });
  });
});
