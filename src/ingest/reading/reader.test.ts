// Log readers by themselves, without a service.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reason, recordOf } from '#ingest/decode/record.ts';
import type { Log } from '#ingest/intake.ts';
import type { Target } from '#ingest/target.ts';
import type { Shape } from '#logs/log-store.ts';
import { shapeOf } from '#logs/shape.ts';
import type { Value } from '#query/model/values.ts';
import { openStore, type Store } from '#store/store.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { processorMs } from '#test/support/processor-time.ts';
import { type LogReading, Readers } from './reader.ts';

const AT = Date.parse('2026-11-15T03:00:00Z');
const BESIDE = new Map<string, Value>([['sender', '10.0.0.1']]);

const target = (parser_code: string, rules: readonly object[] = [], configs: object = {}): Target => ({
  guid: 'g',
  model_guid: 'm',
  enabled: 1,
  table_name: 'web',
  logger_factory_name: 'syslog-udp',
  parser_code,
  parser_configs: JSON.stringify(configs),
  model_rules: JSON.stringify(rules),
  table_id: 1,
  layout: 'columnar',
  compression: 'snappy',
  schema_code: null,
});

/** It matches, in about a hundred milliseconds. */
const SLOW_PATTERN = '(?<b>.*)x(.*)y';
const SLOW_LINE = 'axy'.repeat(20_000);
/** Processor time of the main thread for one line. */
const MAX_HELD_MS = 20;

const groupRow = (guid: string, version: number) => ({
  guid,
  name: 'known',
  description: null,
  search: 'known',
  version,
  created_at: AT,
  updated_at: AT,
});
const addressRow = (group_guid: string, ip: string) => ({
  guid: group_guid,
  group_guid,
  ip,
  description: null,
  hits: 0,
  search: ip,
  expires_at: null,
  created_at: AT,
  updated_at: AT,
});

const withoutParser = ({ parser_code: _, ...rule }: { parser_code: string }) => rule;

const typesIn = ({ names, types }: Shape) => new Map(names.map((name, at) => [name, types[at]] as const).sort());

describe('A reader', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-reader-'));
  const opened: { store?: Store } = {};
  const readers = () => {
    if (!opened.store) throw new Error('not open yet');
    const clock = new ManualClock('2026-11-15T03:00:00Z');
    return new Readers({ store: opened.store, clock, zone: 'Asia/Seoul', ruleSteps: 100_000 });
  };

  beforeAll(async () => {
    opened.store = await openStore(folder, { groupCommitted() {}, storeFailed() {} });
  });
  afterAll(async () => {
    await opened.store?.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['text', {}, 'x', { line: 'x', sender: '10.0.0.1' }],
    ['json', {}, '{"a":1,"sender":"me"}', { a: 1, sender: '10.0.0.1' }],
    ['key-value', {}, 'a=1', { a: '1', sender: '10.0.0.1' }],
  ])('puts what is known beside a line into its record: %s', async (code, configs, line, fields) => {
    const reader = await readers().readerFor(target(code, [], configs));
    const log = await reader.of(line, AT, BESIDE);
    if (typeof log === 'string') throw new Error(log);
    expect(JSON.parse(log.text)).toEqual(fields);
    expect(log.shape.names.toSorted()).toEqual(Object.keys(fields).toSorted());
    expect(log.time).toBe(AT);
  });

  it('lets rules see what is known beside a line', async () => {
    const rules = [{ log_schema_code: 'lan', stream_query: 'search sender == "10.*"' }];
    for (const [code, line] of [
      ['text', 'x'],
      ['json', '{"a":1}'],
    ] as const) {
      const reader = await readers().readerFor(target(code, rules));
      expect(await reader.of(line, AT, BESIDE)).toMatchObject({
        schema: 'lan',
        text: expect.stringContaining('"_schema":"lan"'),
      });
      expect(await reader.of(line, AT)).not.toHaveProperty('schema');
    }
  });

  it.each([
    ['json', '', 'parse-failed'],
    ['json', '[1]', 'parse-failed'],
    ['json', '{"_time":"soon"}', 'invalid-time'],
    ['key-value', '_time=soon', 'invalid-time'],
    ['key-value', '_time=99999999999999999', 'invalid-time'],
    ['syslog', 'hello', 'parse-failed'],
  ])('of %s says why %j is no log: %s', async (code, line, reason) => {
    const reader = await readers().readerFor(target(code));
    expect(await reader.of(line, AT)).toBe(reason);
  });

  it('hands on a record as it is where the model has no rules', async () => {
    const record = { time: 1, text: '{"a":1}', shape: { names: ['a'], types: ['long'] } } as const;
    const reader = await readers().readerFor(target('json'));
    expect(reader.normalized(record, AT)).toBe(record);
  });

  it('of records that look alike gives them one shape', async () => {
    const reader = await readers().readerFor(target('key-value'));
    const shapes: unknown[] = [];
    for (const line of ['a=1 b=2', 'c=1', 'a=3 b=4', 'c=2', 'b=1 a=2']) {
      const log = await reader.of(line, AT);
      shapes.push(typeof log === 'string' ? log : log.shape);
    }
    expect(shapes[2]).toBe(shapes[0]);
    expect(shapes[3]).toBe(shapes[1]);
    expect(shapes[4]).toEqual({ names: ['b', 'a'], types: ['string', 'string'] });
  });

  it('makes a sound record of any log that a rule lets pass, or leaves it alone', async () => {
    const queries = [
      'eval a = b, b = a, c = string(a), d = date(string(b)), e = a * 2.5, f = array(a, b), g = binary(string(a))',
      'search a > 0 | rename a as _id, b as _time | eval _node = 1, _schema = 2',
      'parsejson field=a overlay=t | parsekv field=b | fields a, b, _time',
    ];
    const rules = queries.map((stream_query) => ({ log_schema_code: 'x', stream_query, parser_code: 'key-value' }));
    const reader = await readers().readerFor(target('json', [...rules, ...rules.map(withoutParser)]));
    const name = fc.constantFrom('a', 'b', 'line', '_time', '_id', '_schema', '__proto__', '', 'é');
    const leaf = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.constantFrom(
        'a=1 b=2',
        '{"a":5}',
        null,
        true,
        2 ** 60,
        1e300,
        -0,
        '2026-11-15',
        { $date: 5 },
        { $binary: 'AA==' },
      ),
    );
    const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(name, leaf, { maxKeys: 2 }));
    const line = fc.dictionary(name, value, { maxKeys: 5 }).map((record) => JSON.stringify(record));
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        const log = await reader.of(text, AT);
        if (typeof log === 'string') return;
        const again = recordOf(log.text, { at: log.time, zone: 'UTC' });
        expect(again).toMatchObject({ text: log.text, time: log.time });
        expect(typesIn(log.shape)).toEqual(typesIn(shapeOf(JSON.parse(log.text))));
        if (log.schema !== undefined) expect(JSON.parse(log.text)._schema).toBe('x');
      }),
      { numRuns: 500 },
    );
  });

  describe('of a line that takes long', () => {
    const kept = { open: undefined as Readers | undefined };
    const slowReaders = () => {
      kept.open ??= readers();
      return kept.open;
    };
    afterAll(() => kept.open?.close());

    const rex = (count: number) => ({
      name: `rule ${count}`,
      log_schema_code: 'x',
      stream_query: `rex field=line "${SLOW_PATTERN.replace('(?<b>', `(?<b${count}>`)}" | search b${count} == "never"`,
    });
    const slow: { [what: string]: [Target, string, (fields: Record<string, string>) => unknown, unknown] } = {
      'a pattern of thousands of states': [
        target('regex', [], { pattern: '(?<b>(x?){300}x{300})$' }),
        'x'.repeat(700),
        ({ b = '' }) => b.length,
        600,
      ],
      'a pattern over 60,000 characters': [
        target('regex', [], { pattern: SLOW_PATTERN }),
        SLOW_LINE,
        ({ b = '' }) => b.length,
        SLOW_LINE.length - 2,
      ],
      'twelve rules with such a pattern': [
        target(
          'text',
          Array.from({ length: 12 }, (_, count) => rex(count)),
        ),
        SLOW_LINE,
        ({ line = '' }) => line.length,
        SLOW_LINE.length,
      ],
      'very many pairs': [
        target('key-value'),
        Array.from({ length: 90_000 }, (_, at) => `k${at}=v`).join(' '),
        (fields) => Object.keys(fields).length,
        90_001,
      ],
      'very many elements of structured data': [
        target('syslog'),
        `<34>1 - h a p m ${Array.from({ length: 80_000 }, (_, at) => `[a${at}]`).join('')} msg`,
        (fields) => Object.keys(fields).length,
        80_010,
      ],
      'a record of very many fields with a rule': [
        target('json', [{ name: 'all', log_schema_code: 'x', stream_query: 'eval n = 1' }]),
        `{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
        (fields) => Object.keys(fields).length,
        80_003,
      ],
    };

    it.each(Object.entries(slow))('does not hold the main thread: %s', async (_, [model, line, found, expected]) => {
      const reader = await slowReaders().readerFor(model);
      const attempts: { readonly ms: number; readonly log: Log | Reason }[] = [];
      // The first one compiles code and starts the thread.
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const readings: LogReading[] = [];
        const ms = processorMs(() => readings.push(reader.of(line, AT, BESIDE)));
        for (const reading of readings) attempts.push({ ms, log: await reading });
      }
      const log = attempts[0]?.log ?? 'parse-failed';
      if (typeof log === 'string') throw new Error(log);
      expect(found(JSON.parse(log.text))).toBe(expected);
      expect(typesIn(log.shape)).toEqual(typesIn(shapeOf(JSON.parse(log.text))));
      expect(Math.min(...attempts.map(({ ms }) => ms))).toBeLessThan(MAX_HELD_MS);
    });

    it('grants it as many steps in another thread as the parser and the rules may take, and no more', async () => {
      const tooMany = await slowReaders().readerFor(target('regex', [], { pattern: '(?<b>(x?){400}x{400})$' }));
      expect(await tooMany.of('x'.repeat(60_000), AT)).toBe('parse-failed');
      const rules = [{ name: 'slow', log_schema_code: 'x', stream_query: 'rex field=line "(?<b>(x?){400}x{400})$"' }];
      const ruled = await slowReaders().readerFor(target('text', rules));
      expect(await ruled.of('x'.repeat(60_000), AT)).toMatchObject({ exceeded: ['slow'] });
    });

    it('lets rules there refer to address groups as they are now', async () => {
      const guid = '00000000-0000-4000-8000-000000000001';
      const groups = async (ip: string, version: number) => {
        await opened.store?.write(async (db) => {
          await db.deleteFrom('addresses').where('group_guid', '=', guid).execute();
          await db.deleteFrom('address_groups').where('guid', '=', guid).execute();
          await db.insertInto('address_groups').values(groupRow(guid, version)).execute();
          await db.insertInto('addresses').values(addressRow(guid, ip)).execute();
        });
      };
      const rules = [{ name: 'known', log_schema_code: 'x', stream_query: `matchnet field=sender guid=${guid}` }];
      const long = `{"a":"${'x'.repeat(40_000)}"}`;
      for (const [ip, version] of [
        ['10.0.0.1', 1],
        ['10.0.0.2', 2],
        ['10.0.0.1', 3],
      ] as const) {
        await groups(ip, version);
        const reader = await slowReaders().readerFor(target('json', rules));
        const log = await reader.of(long, AT, BESIDE);
        expect(log).toHaveProperty('shape');
        expect(typeof log === 'object' && log.schema).toBe(ip === '10.0.0.1' ? 'x' : undefined);
      }
    });
  });

  it('refuses a model or a parser that has gone', async () => {
    await expect(readers().readerFor({ ...target('x'), parser_code: null })).rejects.toThrow(
      'logger model not found: m',
    );
    await expect(readers().readerFor(target('x'))).rejects.toThrow('parser not found: x');
  });
});
