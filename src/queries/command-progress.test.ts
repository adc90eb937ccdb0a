import { describe, expect, it } from 'vitest';
import { pipelinesOf, systemObjectsOf, tablesOf } from '#query/analysis/references.ts';
import { checkQuery } from '#query/query.ts';
import { contextOf } from '#test/support/query-examples.ts';
import { QueryProgress } from './command-progress.ts';

const context = contextOf({ tables: { web: [{ a: 1 }], other: [{ a: 1 }] } });
const planOf = (text: string) => checkQuery(text, context).plan;

const NESTED =
  'setq [ table web | stats max(a) as m ] | table web | join a [ table other | union [ system tables ] ] | union [ json "{}" ]';

const textsOf = (text: string) => pipelinesOf(planOf(text)).map(({ commands }) => commands.map((node) => node.text));

describe('The progress of commands', () => {
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
    const progress = new QueryProgress(first, [7]);
    progress.attachPlan(second);
    for (const plan of [first, second]) progress.of(plan.result)?.raiseCount(plan === first ? 1n : 2n);
    expect(progress.pipelines[0]?.commands.map(({ pushCount }) => pushCount)).toEqual([0n, 2n]);
    expect(progress.pipelines[0]?.id).toBe(7);
  });

  it('never move back and never count down', () => {
    const plan = planOf('table web');
    const cell = new QueryProgress(plan, [1]).of(plan.result);
    cell?.raiseCount(5n);
    cell?.raiseCount(3n);
    cell?.advance('Finalizing');
    cell?.advance('Running');
    expect([cell?.pushCount, cell?.status]).toEqual([5n, 'Finalizing']);
  });

  it('of set and setq before the driver count nothing; all are at their end when the run is', () => {
    const plan = planOf('set x = 1 | table web | search a == 1');
    const progress = new QueryProgress(plan, [1]);
    const statuses = () => progress.pipelines[0]?.commands.map(({ status }) => status);
    progress.advancePreambles(plan, 'Running');
    expect(statuses()).toEqual(['Running', 'Waiting', 'Waiting']);
    progress.finishAll();
    expect(statuses()).toEqual(['End', 'End', 'End']);
  });
});
