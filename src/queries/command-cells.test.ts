import { describe, expect, it } from 'vitest';
import { pipelinesOf, systemObjectsOf, tablesOf } from '#query/analysis/references.ts';
import { checkQuery } from '#query/query.ts';
import { contextOf } from '#test/support/query-examples.ts';
import { CommandCells } from './command-cells.ts';

const context = contextOf({ tables: { web: [{ a: 1 }], other: [{ a: 1 }] } });
const planOf = (text: string) => checkQuery(text, context).plan;

const NESTED =
  'setq [ table web | stats max(a) as m ] | table web | join a [ table other | union [ system tables ] ] | union [ json "{}" ]';

const textsOf = (text: string) => pipelinesOf(planOf(text)).map(({ commands }) => commands.map((node) => node.text));

describe('The cells of commands', () => {
  it('are those of the text, subqueries in its order, nested ones after their parent', () => {
    expect(textsOf(NESTED)).toEqual([
      [
        'setq [ table web | stats max(a) as m ]',
        'table web',
        'join a [ table other | union [ system tables ] ]',
        'union [ json "{}" ]',
      ],
      ['table web', 'stats max(a) as m'],
      ['table other', 'union [ system tables ]'],
      ['system tables'],
      ['json "{}"'],
    ]);
    expect([...tablesOf(planOf(NESTED))].toSorted()).toEqual(['other', 'web']);
    expect([...systemObjectsOf(planOf(NESTED))]).toEqual(['tables']);
  });

  it('are the same for the nodes of every plan of the text', () => {
    const first = planOf('table web | limit 1');
    const second = planOf('table web | limit 1');
    const cells = new CommandCells(first, [7]);
    cells.follow(second);
    for (const plan of [first, second]) cells.of(plan.result)?.reach(plan === first ? 1n : 2n);
    expect(cells.pipelines[0]?.cells.map(({ pushCount }) => pushCount)).toEqual([0n, 2n]);
    expect(cells.pipelines[0]?.id).toBe(7);
  });

  it('never move back and never count down', () => {
    const plan = planOf('table web');
    const cell = new CommandCells(plan, [1]).of(plan.result);
    cell?.reach(5n);
    cell?.reach(3n);
    cell?.move('Finalizing');
    cell?.move('Running');
    expect([cell?.pushCount, cell?.status]).toEqual([5n, 'Finalizing']);
  });

  it('of set and setq before the driver count nothing; all are at their end when the run is', () => {
    const plan = planOf('set x = 1 | table web | search a == 1');
    const cells = new CommandCells(plan, [1]);
    const statuses = () => cells.pipelines[0]?.cells.map(({ status }) => status);
    cells.movePreambles(plan, 'Running');
    expect(statuses()).toEqual(['Running', 'Waiting', 'Waiting']);
    cells.end();
    expect(statuses()).toEqual(['End', 'End', 'End']);
  });
});
