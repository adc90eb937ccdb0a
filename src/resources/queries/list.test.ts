// Pages of the list over all nodes: whichever node is asked, queries that began in the same millisecond have one order.

import { expect, it } from 'vitest';
import type { Answer, Call } from '#operations/endpoint.ts';
import { CALLER } from '#test/support/scripted-queries.ts';
import type { Wire } from '#test/support/service.ts';
import { list } from './list.ts';

const NO_OTHERS = { answers: [], unanswered: [] };

const answerOf = (...ids: number[]) => ({
  total_count: ids.length,
  queries: ids.map((id) => ({ id, start_time: 1000 })),
});

type AskOthers = Call['askOthers'];

/** The parts of the answer of a node with these queries of its own. */
async function partsOf(input: object, queries: object, askOthers: AskOthers): Promise<string[]> {
  const needs = { queries, nodes: { own: { name: 'n1' } }, caller: CALLER, askOthers };
  const answer = (await list.run(input as never, needs as never, undefined as never)) as Answer;
  return await Array.fromAsync(answer.body as AsyncIterable<string>);
}

/** The page of a node without queries of its own. */
async function pageFrom(offset: number, limit: number, askOthers: AskOthers): Promise<number[]> {
  const { queries }: Wire = JSON.parse((await partsOf({ offset, limit }, { visible: () => [] }, askOthers)).join(''));
  return queries.map(({ id }: Wire) => id);
}

const pageOf = (offset: number, limit: number, answers: readonly unknown[]) =>
  pageFrom(offset, limit, async () => ({ answers, unanswered: [] }));

it('Queries of one millisecond are on the same page from every node', async () => {
  const one = answerOf(4, 1);
  const other = answerOf(3, 2);
  for (const answers of [
    [one, other],
    [other, one],
  ]) {
    expect(await pageOf(0, 2, answers)).toEqual([4, 3]);
    expect(await pageOf(2, 2, answers)).toEqual([2, 1]);
  }
});

it('A page behind the first thousand is put together from pages of the other nodes', async () => {
  const many = Array.from({ length: 2500 }, (_, n) => 4000 - n);
  const few = [3999.5, 1];
  const asked: object[] = [];
  const page = await pageFrom(2000, 3, async ({ offset = '', limit = '' }) => {
    asked.push({ offset, limit });
    const part = (ids: readonly number[]) => answerOf(...ids.slice(Number(offset), Number(offset) + Number(limit)));
    return { answers: [part(many), part(few)], unanswered: [] };
  });
  expect(page).toEqual([2001, 2000, 1999]);
  expect(asked).toEqual([
    { offset: '0', limit: '1000' },
    { offset: '1000', limit: '1000' },
    { offset: '2000', limit: '3' },
  ]);
});

it('A page of large records is sent in parts', async () => {
  const own = Array.from({ length: 3 }, (_, id) => ({ id, times: { accepted: Temporal.Now.instant() }, request: {} }));
  const listed = ({ id }: Wire) => ({ id, constants: { p: 'x'.repeat(100_000) } });
  const parts = await partsOf({ offset: 0, limit: 10 }, { visible: () => own, listed }, async () => NO_OTHERS);
  expect(parts.map(({ length }) => Math.round(length / 100_000))).toEqual([1, 1, 1, 0]);
  expect(JSON.parse(parts.join(''))).toMatchObject({ total_count: 3, queries: [{}, {}, {}] });
});
