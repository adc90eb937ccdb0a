import { describe, expect, it } from 'vitest';
import { checkQuery } from '#query/query.ts';
import { contextOf } from '#test/support/query-examples.ts';
import { QueryProgress } from './command-progress.ts';

const context = contextOf({ tables: { web: [{ a: 1 }], other: [{ a: 1 }] } });
const referencesOf = (text: string) => checkQuery(text, context).references;

const NESTED =
  'setq [ table web | stats max(a) as m ] | table web | join a [ table other | union [ system tables ] ] | union [ json "{}" ]';

const textsOf = (text: string) => referencesOf(text).pipelines.map(({ commands }) => commands.map((node) => node.text));

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
    expect([...referencesOf(NESTED).tables].toSorted()).toEqual(['other', 'web']);
    expect(referencesOf(NESTED).systemPlanNodes.map(({ object }) => object)).toEqual(['tables']);
  });

  it('are the same for the nodes of every plan of the text', () => {
    const first = checkQuery('table web | limit 1', context);
    const second = checkQuery('table web | limit 1', context);
    const progress = new QueryProgress(first.references, [7]);
    progress.attachPlan(second.references);
    for (const { plan } of [first, second]) progress.of(plan.result)?.raiseCount(plan === first.plan ? 1n : 2n);
    expect(progress.pipelines[0]?.commands.map(({ pushCount }) => pushCount)).toEqual([0n, 2n]);
    expect(progress.pipelines[0]?.id).toBe(7);
  });

  it('never move back and never count down', () => {
    const { plan, references } = checkQuery('table web', context);
    const cell = new QueryProgress(references, [1]).of(plan.result);
    cell?.raiseCount(5n);
    cell?.raiseCount(3n);
    cell?.advance('Finalizing');
    cell?.advance('Running');
    expect([cell?.pushCount, cell?.status]).toEqual([5n, 'Finalizing']);
  });

  it('of set and setq before the driver count nothing; all are at their end when the run is', () => {
    const references = referencesOf('set x = 1 | table web | search a == 1');
    const progress = new QueryProgress(references, [1]);
    const statuses = () => progress.pipelines[0]?.commands.map(({ status }) => status);
    progress.advancePreambles(references, 'Running');
    expect(statuses()).toEqual(['Running', 'Waiting', 'Waiting']);
    progress.finishAll();
    expect(statuses()).toEqual(['End', 'End', 'End']);
  });
});
