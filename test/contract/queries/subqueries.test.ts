// Subqueries in the status record, and the constants that a query ends up with.

import { beforeAll, describe, expect, it } from 'vitest';
import { fillMany, ran, type Status } from '#test/support/queries.ts';
import { expectRecord } from '#test/support/status-records.ts';
import { serviceFor } from '#test/support/suites.ts';

const shown = ({ sub_queries }: Status) =>
  sub_queries.map(({ commands }: Status) => commands.map(({ command, push_count }: Status) => [command, push_count]));

describe('The subqueries of a query', () => {
  const subject = serviceFor();
  beforeAll(() => fillMany(subject, { count: 100 }));

  it('are listed in the order of the text, nested ones after their parent', async () => {
    const last = await ran(
      subject,
      `setq [ table many | stats max(n) as top ]
       | table many | search n > $("top") - 10
       | join k [ table many | search n < 10 | union [ json "[{k:77}]" | bypass ] | fields k ]
       | union [ table many | limit 2 ]`,
    );
    expectRecord(last);
    expect(shown(last)).toEqual([
      [
        ['table many', 100],
        ['stats max(n) as top', 1],
      ],
      [
        ['table many', 100],
        ['search n < 10', 10],
        ['union [ json "[{k:77}]" | bypass ]', 11],
        ['fields k', 11],
      ],
      [
        ['json "[{k:77}]"', 1],
        ['bypass', 1],
      ],
      [
        ['table many', expect.any(Number)],
        ['limit 2', 2],
      ],
    ]);
    expect(last.commands.map(({ command, push_count }: Status) => [command, push_count])).toEqual([
      ['setq [ table many | stats max(n) as top ]', 0],
      ['table many', 100],
      ['search n > ($("top") - 10)', 10],
      ['join k [ table many | search n < 10 | union [ json "[{k:77}]" | bypass ] | fields k ]', 10],
      ['union [ table many | limit 2 ]', 12],
    ]);
    expect(last.constants).toEqual({ top: 99 });
    const ids = [last.id, ...last.sub_queries.map(({ id }: Status) => id)];
    expect(new Set(ids).size).toBe(5);
  });

  it('of fulltext are among them', async () => {
    const last = await ran(
      subject,
      `fulltext k == [ table many | search n < 2 | stats count by k ] or [ json "[{w:'99'}]" | bypass ] from many
       | union [ json "[{}]" ] | stats count`,
    );
    expectRecord(last);
    expect(shown(last)).toEqual([
      [
        ['table many', 100],
        ['search n < 2', 2],
        ['stats count by k', 2],
      ],
      [
        [`json "[{w:'99'}]"`, 1],
        ['bypass', 1],
      ],
      [['json "[{}]"', 1]],
    ]);
    const [first] = last.commands;
    expect(first.command).toBe(
      `fulltext (k == [ table many | search n < 2 | stats count by k ]) or [ json "[{w:'99'}]" | bypass ] from many`,
    );
    expect(first.push_count).toBe(last.commands[1].push_count - 1);
    expect(first.push_count).toBeGreaterThan(1);
  });

  it('have ids that no other query gets', async () => {
    const q = 'json "[{a:1}]" | union [ json "[{a:2}]" ]';
    const runs = await Promise.all(Array.from({ length: 10 }, () => ran(subject, q)));
    const ids = runs.flatMap(({ id, sub_queries }) => [id, ...sub_queries.map((sub: Status) => sub.id)]);
    expect(new Set(ids).size).toBe(20);
  });

  it.each([
    ['set a = 1 + 1, b = concat("x", $("a")) | json "[]"', { a: 2, b: 'x2' }],
    ['set a = 1 | set a = 2 | json "[]"', { a: 2 }],
    ['set a = null, b = true, c = 0.5 | json "[]"', { a: null, b: true, c: 0.5 }],
    ['json "[]" | set after = "the driver"', { after: 'the driver' }],
    ['setq [ json "[{x:1,y:\'two\'},{x:3}]" ] | json "[]"', { x: 1, y: 'two' }],
    ['setq [ json "[{x:1}]" | drop ] | json "[]"', { x: null }],
    ['set d = date("2024-02-29 12:00:00+0900") | json "[]"', { d: '2024-02-29 03:00:00+0000' }],
    ['set a = 1 | json "[]" | union [ set b = 2 | json "[]" ]', { a: 1 }],
  ])('leave the constants that %s makes', async (q, constants) => {
    const last = await ran(subject, q);
    expectRecord(last);
    const own = Object.fromEntries(Object.entries(last.constants).filter(([name]) => !name.startsWith('_')));
    expect(own).toEqual(constants);
  });

  it('are counted exactly for whichever kind of join', async () => {
    const rows: readonly [type: string, count: number][] = [
      ['inner', 5],
      ['left', 100],
      ['right', 10],
      ['full', 105],
      ['leftonly', 95],
      ['rightonly', 5],
    ];
    for (const [type, count] of rows) {
      const right = 'table many | search n < 10 | eval n = if(n < 5, n, n + 1000)';
      const last = await ran(subject, `table many | join type=${type} n [ ${right} ] | eval x = 1`);
      expect([type, last.rows, ...last.commands.map(({ push_count }: Status) => push_count)]).toEqual([
        type,
        count,
        100,
        count,
        count,
      ]);
      expect(last.sub_queries[0].commands.map(({ push_count }: Status) => push_count)).toEqual([100, 10, 10]);
    }
  });
});
