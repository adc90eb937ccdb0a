// Runs of plans: rows and exact counts over the records of one moment, imports, cancelling, progress.

import { beforeEach, expect } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { type QueryOptions, queryOn, type Watched } from '#test/support/engine-query.ts';
import { DAY, record, TIME } from './samples.ts';
import { type EngineMaker, onPlainTable, type Subject, type TestProtection } from './suite.ts';

const STATUSES = [200, 200, 404, 500, 503, 200, 404, 200, 500, 200];

const PIPELINES: readonly (readonly [text: string, rows: readonly unknown[], pushes: readonly number[]])[] = [
  ['table web | search status >= 500 | stats count', [[3]], [10, 3, 1]],
  ['table web | stats count by ip | sort -count | limit 1', [['10.0.0.0', 4]], [10, 3, 1, 1]],
  ['table web | sort -n | limit 2 | fields n', [[9], [8]], [10, 2, 2, 2]],
  ['table web | search status == 404 | search n > 2 | fields n', [[6]], [10, 2, 1, 1]],
  ['table limit=4 web | stats count by status | search count > 1', [[200, 2]], [4, 3, 1]],
  ['table web | dedup ip | stats count', [[3]], [10, 3, 1]],
  ['table web | dedup ip | eval a = 1 | stats count by ip | limit 1', [['10.0.0.0', 1]], [10, 3, 3, 1, 1]],
  ['table web | join type=inner ip [ table web | search n < 2 ] | stats count', [[7]], [10, 7, 1, 10, 2]],
  [
    'setq [ table web | stats max(n) as most ] | table web | search n == $("most") | fields n',
    [[9]],
    [0, 10, 1, 1, 10, 1],
  ],
  ['table web | timechart span=1h count by status | limit 0', [], [10, 0, 0]],
  [
    'table web | stats count by _time, status | timechart span=1d sum(count) as n by status | fields _time',
    [[TIME - 12 * 3_600_000]],
    [10, 10, 1, 1],
  ],
  ['table web | search n > 100 | stats sum(n) as s', [[0]], [10, 0, 1]],
  ['json "[{a:1},{a:2}]" | repeat count=3 | stats count', [[6]], [2, 6, 1]],
];

export function planPromises(maker: EngineMaker): void {
  onPlainTable(maker, 'a run', (subject) => {
    const web = webTable(subject);
    beforeEach(() => web.append(STATUSES.map((status, n) => JSON.stringify({ n, status, ip: `10.0.0.${n % 3}` }))));
    rowsAndCounts(subject, web);
    snapshots(subject, web);
    columns(subject, web);
    imports(subject, web);
    ending(subject, web);
  });
}

type Web = ReturnType<typeof webTable>;

const webTable = (subject: Subject) => ({
  ask: (text: string, options?: QueryOptions) => queryOn(subject.home.engine, [subject.table], text, options),
  append: (texts: readonly string[], table = subject.table) =>
    subject.home.engine.append(
      table,
      texts.map((text, index) => record(text, TIME - (texts.length - index) * 60_000)),
    ),
  create: (name: string, protection: TestProtection = 'plain'): Promise<TableSpec> =>
    subject.home.createTable({ name, layout: 'columnar', compression: 'snappy' }, protection),
});

function rowsAndCounts(subject: Subject, { ask, append, create }: Web): void {
  for (const [text, rows, pushes] of PIPELINES) {
    subject.promise('plans', `gives rows and exact counts, fresh and sealed: ${text}`, async () => {
      const fresh = await ask(text);
      await subject.home.tick({ minutes: 6 });
      const sealed = await ask(text);
      for (const { rows: found, pushes: counted } of [fresh, sealed]) {
        expect(found).toEqual(rows);
        expect(counted.map(Number)).toEqual(pushes);
      }
    });
  }

  subject.promise('plans', 'gives rows and exact counts of a text of 256 commands, also in brackets', async () => {
    const steps = ' | search n < 100 | eval n = n + 1, m = n | dedup m';
    const long = `table web${steps.repeat(85)}`;
    const { rows, pushes } = await ask(`${long.slice(0, -steps.length)} | sort -n | limit 2 | fields n, m`);
    expect(rows).toEqual([
      [93, 93],
      [92, 92],
    ]);
    expect(pushes.map(Number)).toEqual([...Array(253).fill(10), 2, 2, 2]);
    const inner = await ask(
      `table web | limit 1 | union [ table web${steps.repeat(83)} ] | stats count, max(n) as most`,
    );
    expect(inner.rows).toEqual([[11, 92]]);
  });

  subject.promise('encryption', 'joins an encrypted table with a plain one, fresh and sealed', async () => {
    const { home, table } = subject;
    const secret = await create('secret', 'encrypted');
    await append(['{"ip":"10.0.0.1","who":"kim"}'], secret);
    const join = 'table web | join type=inner ip [ table secret ] | stats count by who';
    expect((await queryOn(home.engine, [table, secret], join)).rows).toEqual([['kim', 3]]);
    await home.tick({ minutes: 6 });
    await append(['{"n":20,"ip":"10.0.0.1"}']);
    const { rows, pushes } = await queryOn(home.engine, [table, secret], join);
    expect(rows).toEqual([['kim', 4]]);
    expect(pushes.map(Number)).toEqual([11, 4, 1, 1]);
  });
}

function snapshots(subject: Subject, { ask, append }: Web): void {
  const late = 'table web | search status >= 500 | search n >= 0 | fields n';

  subject.promise('snapshots', 'reads in all its statements what was stored when it began', async () => {
    const between = async () => {
      await append(['{"n":11,"status":500,"new":true}', '{"n":12,"status":500.5}']);
      await subject.home.tick({ minutes: 6 });
    };
    const { rows, pushes } = await ask(late, { between });
    expect(rows).toEqual([[8], [4], [3]]);
    expect(pushes.map(Number)).toEqual([10, 3, 3, 3]);
    expect((await ask('table web | search status >= 500 | stats count')).rows).toEqual([[5]]);
  });

  subject.promise('snapshots', 'keeps its records to its end, also when their days are removed meanwhile', async () => {
    const { home, table } = subject;
    await home.tick({ minutes: 6 });
    const between = () => home.engine.removeDays(table, '2026-11-15', '2026-11-15');
    const { rows, pushes } = await ask(late, { between });
    expect(rows).toEqual([[8], [4], [3]]);
    expect(pushes.map(Number)).toEqual([10, 3, 3, 3]);
    expect(await home.count(table, {})).toBe(0);
  });
}

function columns(subject: Subject, { ask, append, create }: Web): void {
  subject.promise('columns', 'finds a value of any type, also where its column has another', async () => {
    const { home, table } = subject;
    await append([
      '{"status":"500","list":[1,2]}',
      '{"status":{"code":500}}',
      '{"list":"text"}',
      '{"n":null,"only":null}',
    ]);
    const types = 'table web | eval t = typeof(status), l = typeof(list) | stats count by t, l';
    const expected = [
      ['long', 'null', 10],
      ['map', 'null', 1],
      ['null', 'null', 1],
      ['null', 'string', 1],
      ['string', 'list', 1],
    ];
    expect((await ask(types)).rows).toEqual(expected);
    await home.restart();
    expect((await ask(types)).rows).toEqual(expected);
    await home.tick({ minutes: 6 });
    await home.restart();
    expect((await ask(types)).rows).toEqual(expected);
    // Names of fields without a column are recorded, those that are always null too.
    expect((await home.engine.describe(table)).keys).toEqual(new Set(['list', 'only']));
    expect((await home.engine.describe(table)).columns).toEqual([
      { name: 'n', type: 'long' },
      { name: 'status', type: 'any' },
      { name: 'ip', type: 'string' },
      { name: 'list', type: 'any' },
    ]);
  });

  subject.promise(
    'columns',
    'finds a field that has a column in one table and lies beside those of another',
    async () => {
      const { home, table } = subject;
      const rows = await home.createTable({ name: 'rows', layout: 'row', compression: 'snappy' });
      const maps = await create('maps');
      await append(['{"n":20,"ip":"10.0.0.9"}', '{"n":"30"}', '{"n":2.5}'], rows);
      await append(['{"n":{"a":1},"status":500}', '{"n":null,"status":[1]}'], maps);
      const ask = (text: string) => queryOn(home.engine, [table, rows, maps], text);
      const expected = new Map<string, readonly (readonly unknown[])[]>([
        [
          'table web, rows | stats sum(n) as s, count(n) as c by _table',
          [
            ['rows', 52.5, 3],
            ['web', 45, 10],
          ],
        ],
        ['table rows, web | search n >= 9 | sort n | fields n', [[9], [20], ['30']]],
        ['table rows, web | search ip == "10.0.0.9" | fields n', [[20]]],
        [
          'table * | eval t = typeof(n) | stats count by t',
          [
            ['double', 1],
            ['long', 11],
            ['map', 1],
            ['null', 1],
            ['string', 1],
          ],
        ],
        [
          'table maps, web | search status == 500 | stats count by _table',
          [
            ['maps', 1],
            ['web', 2],
          ],
        ],
        ['table * | search isnotnull(ip) | stats count', [[11]]],
        ['fulltext "10.0.0.9" from rows, web | fields n', [[20]]],
      ]);
      const check = async () => {
        for (const [text, found] of expected) expect([text, (await ask(text)).rows]).toEqual([text, found]);
      };
      await check();
      await home.tick({ minutes: 6 });
      await check();
      await home.restart();
      await check();
    },
  );

  subject.promise('columns', 'knows all columns of a table whose records fit them, nulls included', async () => {
    const { home, table } = subject;
    expect(await home.engine.describe(table)).toMatchObject({ isOpen: false });
    await append(['{"n":null,"status":1}']);
    expect(await home.engine.describe(table)).toMatchObject({
      isOpen: true,
      columns: [{ type: 'long' }, { type: 'long' }, { type: 'string' }],
    });
  });

  subject.promise(
    'columns',
    'shows columns in the order in which records have named them, whatever their days',
    async () => {
      const { home } = subject;
      const days = await create('days');
      await home.engine.append(days, [
        record('{"a":1}', TIME - DAY),
        record('{"b":1,"c":"x"}', TIME),
        record('{"c":2,"d":1}', TIME - DAY),
      ]);
      const staging = await home.engine.stage(days);
      await staging.add([record('{"e":1}', TIME), record('{"f":1}', TIME - DAY)]);
      await staging.add([record('{"h":1}', TIME), record('{"g":1}', TIME - DAY)]);
      await staging.commit(async () => undefined);
      const columns = async () => (await home.engine.describe(days)).columns.map(({ name }) => name).join('');
      expect(await columns()).toBe('abcdefhg');
      await home.restart();
      expect(await columns()).toBe('abcdefhg');
    },
  );

  subject.promise('numbers of both kinds', 'reads a column of whole numbers and fractions as both', async () => {
    const { home, table } = subject;
    await home.tick({ minutes: 6 });
    await append(['{"n":0.5}', '{"n":7}']);
    const sum = 'table web | stats sum(n) as total';
    expect((await ask(sum)).rows).toEqual([[52.5]]);
    await home.restart();
    expect((await home.engine.describe(table)).columns[0]).toEqual({ name: 'n', type: 'any', isNumber: true });
    expect((await ask(sum)).rows).toEqual([[52.5]]);
  });
}

function imports(subject: Subject, { create }: Web): void {
  subject.promise('imports', 'stores the rows of an import when it has succeeded, and none otherwise', async () => {
    const { home, table } = subject;
    const copy = await create('copy');
    const both = (text: string, options?: QueryOptions) => queryOn(home.engine, [table, copy], text, options);
    const importing =
      'table web | search status == 404 | eval at = _time, half = 0.5, _time = null | import copy | limit 1';
    const { pushes } = await both(importing);
    expect(pushes.map(Number)).toEqual([10, 2, 2, 2, 1]);
    const stored = 'table order=asc copy | eval t = typeof(at), is_now = _time == now() | fields n, t, half, is_now';
    expect((await both(stored)).rows).toEqual([
      [6, 'date', 0.5, true],
      [2, 'date', 0.5, true],
    ]);
    const cancelled = new AbortController();
    const seen = () => cancelled.abort(new Error('enough'));
    await expect(both('table web | import copy', { signal: cancelled.signal, seen })).rejects.toThrow('enough');
    expect((await both('table copy | stats count')).rows).toEqual([[2]]);
  });
}

function ending(subject: Subject, { ask }: Web): void {
  subject.promise('cancelling', 'stops at its signal while a statement runs and before the first one', async () => {
    const heavy = 'json "[{a:1}]" | repeat count=3000000 | eval b = seq() | stats count by b | sort -b';
    const aborting = new AbortController();
    const running = ask(heavy, { signal: aborting.signal });
    setTimeout(() => aborting.abort(new Error('stopped')), 50);
    await expect(running).rejects.toThrow('stopped');
    await expect(ask('table web', { signal: aborting.signal })).rejects.toThrow('stopped');
    expect(await subject.home.engine.use()).toMatchObject({ running: 0, waiting: 0 });
  });

  subject.promise('progress', 'never tells more rows than there are while it works', async () => {
    const counts: bigint[] = [];
    const seen: QueryOptions['seen'] = (run, watch: Watched) => {
      run.refreshProgress();
      counts.push(...watch.counts.values());
    };
    await subject.home.tick({ minutes: 6 });
    const { pushes } = await ask('table web | search status >= 0 | limit 4', { seen });
    expect(pushes.map(Number)).toEqual([10, 4, 4]);
    expect(counts.filter((count) => count > 4n)).toEqual([]);
  });
}
