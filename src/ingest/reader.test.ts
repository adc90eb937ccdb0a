// Log readers by themselves, without a service.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Shape } from '#engines/engine.ts';
import { shapeOf } from '#engines/shape.ts';
import type { Value } from '#query/model/values.ts';
import { openStore, type Store } from '#store/store.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { Readers } from './reader.ts';
import { recordOf } from './record.ts';
import type { Target } from './target.ts';

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
    const log = reader.of(line, AT, BESIDE);
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
      expect(reader.of(line, AT, BESIDE)).toMatchObject({
        schema: 'lan',
        text: expect.stringContaining('"_schema":"lan"'),
      });
      expect(reader.of(line, AT)).not.toHaveProperty('schema');
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
    expect(reader.of(line, AT)).toBe(reason);
  });

  it('hands on a record as it is where the model has no rules', async () => {
    const record = { time: 1, text: '{"a":1}', shape: { names: ['a'], types: ['long'] } } as const;
    const reader = await readers().readerFor(target('json'));
    expect(reader.normalized(record)).toBe(record);
  });

  it('of records that look alike gives them one shape', async () => {
    const reader = await readers().readerFor(target('key-value'));
    const shapes = ['a=1 b=2', 'c=1', 'a=3 b=4', 'c=2', 'b=1 a=2'].map((line) => {
      const log = reader.of(line, AT);
      return typeof log === 'string' ? log : log.shape;
    });
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
    fc.assert(
      fc.property(line, (text) => {
        const log = reader.of(text, AT);
        if (typeof log === 'string') return;
        const again = recordOf(log.text, { at: log.time, zone: 'UTC' });
        expect(again).toMatchObject({ text: log.text, time: log.time });
        expect(typesIn(log.shape)).toEqual(typesIn(shapeOf(JSON.parse(log.text))));
        if (log.schema !== undefined) expect(JSON.parse(log.text)._schema).toBe('x');
      }),
      { numRuns: 500 },
    );
  });

  it('refuses a model or a parser that has gone', async () => {
    await expect(readers().readerFor({ ...target('x'), parser_code: null })).rejects.toThrow(
      'logger model not found: m',
    );
    await expect(readers().readerFor(target('x'))).rejects.toThrow('parser not found: x');
  });
});
