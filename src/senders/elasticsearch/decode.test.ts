import { describe, expect, it } from 'vitest';
import { textAt } from '#senders/records/growing.ts';
import { ARRIVAL, decodedBy, recordsBy } from '#test/support/sender-decoding.ts';
import { ACTIONS } from './bulk-facts.ts';
import { decodeElasticsearch } from './decode.ts';

const BULK = { route: 'bulk' };
const TIME = { _time: 1709280000123 };

/** A line each. */
const body = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const created = (document: string): string => body('{"create":{}}', document);

const documents: [rule: string, document: string, record: object][] = [
  [
    'a document stays as it is',
    '{"_time":1709280000123,"m":"x","n":1.5,"l":[1,{"a":null}],"o":{"b":true}}',
    { ...TIME, m: 'x', n: 1.5, l: [1, { a: null }], o: { b: true } },
  ],
  ['@timestamp is its time', '{"a":1,"@timestamp":"2024-03-01T08:00:00.123Z","b":2}', { ...TIME, a: 1, b: 2 }],
  ['also with other decimals', '{"@timestamp":"2024-03-01T17:00:00.123456+09:00"}', TIME],
  ['also with nine of them', '{"@timestamp":"2024-03-01T08:00:00.123999999Z"}', TIME],
  ['also with one of them', '{"@timestamp":"2024-03-01T08:00:00.5Z"}', { _time: TIME._time + 377 }],
  ['also with two of them', '{"@timestamp":"2024-03-01T08:00:00.05Z"}', { _time: TIME._time - 73 }],
  ['also in epoch milliseconds', '{"@timestamp":1709280000123}', TIME],
  ['also as text', '{"@timestamp":"1709280000123","b":2}', { ...TIME, b: 2 }],
  ['also as text with decimals', '{"@timestamp":"1709280000123.456789","b":2}', { ...TIME, b: 2 }],
  ['also as a number with decimals', '{"@timestamp":1709280000123.999999}', TIME],
  [
    '_time goes before it',
    '{"@timestamp":"2020-01-01","_time":1709280000123}',
    { ...TIME, '@timestamp': '2020-01-01' },
  ],
  ['but a null does not', '{"_time":null,"@timestamp":"1709280000123"}', TIME],
  ['absent, null and 0 stand for the arrival', '{"@timestamp":null}', { _time: ARRIVAL }],
  [
    'names of the service and empty ones are dropped',
    '{"_id":1,"a":1,"_table":"t","":2,"_node":"n","@timestamp":1709280000123}',
    { ...TIME, a: 1 },
  ],
  [
    'other names with an underscore are not',
    '{"_source":1,"@version":"1","@timestamp":1709280000123}',
    { ...TIME, _source: 1, '@version': '1' },
  ],
  ['an empty document is a record', ' {} \r', { _time: ARRIVAL }],
];

describe('Documents of a bulk request', () => {
  for (const [rule, document, record] of documents) {
    it(`are records: ${rule}`, () => expect(recordsBy(decodeElasticsearch, created(document), BULK)).toEqual([record]));
  }

  it('have an action, an index and an id each', () => {
    const params = { index: 'path' };
    const decoded = decodedBy(
      decodeElasticsearch,
      body(
        '{"create":{"_index":"web","_id":"a\\"1"}}',
        '{"doc_id":"own","n":1}',
        '{"index":{"op_type":"create","_id":7,"pipeline":"p","_type":"_doc"},"further":{}}',
        '{"n":2}',
        '{"index":{}}',
        '{"n":3}',
        '{ "delete" : {"_id":"x"} }',
        '',
        '{"update":{"_id":"y"}}',
        '{"doc":{}}',
        '{"index":null}',
        '{"n":4}',
      ),
      { ...BULK, params },
    );
    const { facts, fates = [], tables } = decoded;
    if (!facts) throw new Error('refused');
    const items = fates.map((fate, at) => [
      ACTIONS[facts.actions[at] ?? 0],
      facts.indexes[facts.indexOf[at] ?? 0],
      textAt(facts.ids, at),
      fate,
    ]);
    expect(items).toEqual([
      ['create', 'web', 'a"1', 'kept'],
      ['create', 'path', '7', 'kept'],
      ['index', 'path', '', 'kept'],
      ['delete', 'path', 'x', 'unsupported-action'],
      ['update', 'path', 'y', 'unsupported-action'],
      ['index', 'path', '', 'kept'],
    ]);
    expect(tables).toEqual([
      { name: 'web', items: [0], records: [{ _time: ARRIVAL, doc_id: 'a"1', 'doc.doc_id': 'own', n: 1 }] },
      {
        name: 'path',
        items: [1, 2, 5],
        records: [
          { _time: ARRIVAL, doc_id: '7', n: 2 },
          { _time: ARRIVAL, n: 3 },
          { _time: ARRIVAL, n: 4 },
        ],
      },
    ]);
  });

  it('are rejected one by one', () => {
    const rejected: [document: string, fate: string][] = [
      ['{"a":1}', 'kept'],
      ['{"a":', 'malformed-json'],
      ['{"a":[1,', 'malformed-json'],
      ['{"a":1} x', 'malformed-json'],
      ['[1]', 'not-an-object'],
      ['5', 'not-an-object'],
      ['', 'malformed-json'],
      ['{"@timestamp":"soon"}', 'invalid-time'],
      ['{"@timestamp":"2024"}', 'invalid-time'],
      ['{"@timestamp":"2024.5"}', 'invalid-time'],
      ['{"@timestamp":"1709280000123."}', 'invalid-time'],
      ['{"@timestamp":"1709280000123.4.5"}', 'invalid-time'],
      ['{"_time":1e30}', 'invalid-time'],
      [`{"a":${'['.repeat(101)}${']'.repeat(101)}}`, 'nested-too-deep'],
      [`{"a":"${'x'.repeat(1024 * 1024)}"}`, 'line-too-long'],
      ['{"a":"\\ud83d\\ude00"}', 'kept'],
    ];
    const text = rejected.map(([document]) => created(document)).join('');
    expect(decodedBy(decodeElasticsearch, text, BULK)).toMatchObject({ fates: rejected.map(([, fate]) => fate) });
  });

  it('are rejected for an id of more than 512 bytes', () => {
    const withId = (id: string) => `${JSON.stringify({ create: { _id: id } })}\n{"a":1}\n`;
    const text = ['x'.repeat(512), 'x'.repeat(513), `${'x'.repeat(510)}한`, 'y'].map(withId).join('');
    expect(decodedBy(decodeElasticsearch, text, BULK)).toMatchObject({
      fates: ['kept', 'invalid-id', 'invalid-id', 'kept'],
    });
  });

  const refused = [
    '',
    '\n',
    'x\n{}\n',
    '[]\n{}\n',
    '{}\n{}\n',
    '{"other":{}}\n{}\n',
    '{"index":[]}\n{}\n',
    '{"index":{}\n{}\n',
    '{"index":{}}',
    '{"a":1}\n',
  ];
  for (const text of refused) {
    it(`are refused as a whole where an action cannot be read: ${JSON.stringify(text)}`, () => {
      const { fault } = decodedBy(decodeElasticsearch, text, BULK);
      expect(fault).toBe(text.trim() === '' ? 'empty' : 'malformed');
    });
  }
});

describe('A document alone', () => {
  it('is one record, over several lines', () => {
    const parts = { route: 'doc', params: { index: 'web' } };
    const found = decodedBy(decodeElasticsearch, '\n{\n"@timestamp":1709280000123,\n"a":[1,\n2]}\n', parts);
    expect(found).toMatchObject({
      tables: [{ name: 'web', items: [0], records: [{ ...TIME, a: [1, 2] }] }],
      fates: ['kept'],
    });
    expect(decodedBy(decodeElasticsearch, '{', parts)).toMatchObject({ fates: ['malformed-json'] });
  });
});
