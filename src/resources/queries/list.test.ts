// Pages of the list over all nodes: whichever node is asked, queries that began in the same millisecond have one order.

import { expect, it } from 'vitest';
import type { Wire } from '#test/support/service.ts';
import { list } from './list.ts';

const answerOf = (...ids: number[]) => ({
  total_count: ids.length,
  queries: ids.map((id) => ({ id, start_time: 1000 })),
});

/** The page of a node without queries of its own, whose others answer this. */
async function pageOf(offset: number, limit: number, answers: readonly unknown[]): Promise<number[]> {
  const needs = {
    queries: { visible: () => [] },
    nodes: { own: { name: 'n1' } },
    askOthers: async () => ({ answers, unanswered: [] }),
  };
  const { queries } = (await list.run({ offset, limit } as never, needs as never, undefined as never)) as Wire;
  return queries.map(({ id }: Wire) => id);
}

it('Queries of one millisecond are on the same page from every node', async () => {
  const [one, other] = [answerOf(4, 1), answerOf(3, 2)];
  for (const answers of [
    [one, other],
    [other, one],
  ]) {
    expect(await pageOf(0, 2, answers)).toEqual([4, 3]);
    expect(await pageOf(2, 2, answers)).toEqual([2, 1]);
  }
});
