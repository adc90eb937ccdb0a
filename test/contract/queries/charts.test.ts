// Charts of few groups are made locally, all others by statements: a command behind a chart makes the difference.

import { beforeAll, describe, expect, it } from 'vitest';
import { createLogger, push } from '#test/support/logs.ts';
import { ask, finished, linesOf } from '#test/support/queries.ts';
import { seal } from '#test/support/segments.ts';
import { expectRecord } from '#test/support/status-records.ts';
import { serviceFor } from '#test/support/suites.ts';

const DAY = Temporal.Instant.from('2026-11-01T00:00:00Z').epochMilliseconds;
const NAMES = ['info', 'WARN', '오류', '', 'null', 'a"b\\c\n', 'empty'];

const lines = (count: number, seed: number) =>
  Array.from({ length: count }, (_, at) => {
    const n = (at * seed) % 1009;
    const late = n % 50 === 0 ? -7_200_000 : 0;
    return JSON.stringify({
      _time: DAY + n * 60_000 + late,
      name: NAMES[n % 3],
      ...(n % 5 === 0 ? {} : { odd: NAMES[n % NAMES.length] }),
      level: n % 4 === 0 ? null : n % 7,
      is: n % 2 === 0,
      mixed: n % 3 === 0 ? n : `t${n % 2}`,
      ratio: n % 6 === 0 ? n : n / 7,
      many: `k${n}`,
    });
  }).join('\n');

describe('A chart', () => {
  // The last digit of a mean depends on the order of records, which a log store does not keep.
  const subject = serviceFor({ alone: 'embedded' });
  beforeAll(async () => {
    const logger = await createLogger(subject, { table: 'plain' });
    await push(subject, logger, { body: lines(700, 11) });
    await seal(subject, 'plain');
    await push(subject, logger, { body: lines(200, 13) });
  });

  const charted = async (q: string, page: Readonly<Record<string, string>> = {}) => {
    const reply = await ask(subject, { q, ...page });
    const status = await finished(subject, Number(reply.headers.get('x-query-id')));
    expectRecord(status);
    const counts = status.commands.map(({ push_count }: { push_count: number }) => push_count);
    return { lines: linesOf(reply), text: reply.text, fields: status.field_names, types: status.field_types, counts };
  };

  const SOURCES = ['table plain', 'table from="2026-11-01 02:30:00" to="2026-11-01 09:00:30" plain'];
  const STEPS = ['', ' | search n != 3 and level > 1', ' | eval name = if(level > 3, null, name)'];
  const CHARTS = [
    'count by name',
    'count by odd',
    'count by is',
    'count by level',
    'count by mixed',
    'count by many',
    'count, avg(ratio) as mean, max(odd) as last, first(_time) as at by name',
    'sum(level) as s, dc(many) as d by is',
    'count by nosuchfield',
  ];

  it.each(SOURCES)('is the same whether the local evaluator or a statement makes it: %s', async (source) => {
    for (const step of STEPS) {
      for (const chart of CHARTS) {
        const q = `${source}${step} | timechart span=30m ${chart}`;
        const host = await charted(q);
        const other = await charted(`${q} | limit 100000`);
        expect({ q, ...host }).toEqual({ q, ...other, counts: other.counts.slice(0, -1) });
        expect(host.counts.at(-1)).toBe(host.lines.length);
      }
    }
  });

  it('gives pages of its rows', async () => {
    const q = 'table plain | timechart span=1h count by name';
    const all = linesOf(await ask(subject, { q }));
    for (const [offset, limit] of [
      [0, 2],
      [3, 1000],
      [1000, 1],
    ] as const) {
      const rows = linesOf(await ask(subject, { q, offset: `${offset}`, limit: `${limit}` }));
      expect(rows).toEqual(all.slice(offset, offset + limit));
    }
  });
});
