// Threads of the local evaluator by themselves: one task each, ended with its signal whatever it is at.

import { expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { ExecutionSlots } from '#logs/runs/duckdb/execution-slots.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import { checkQuery } from '#query/query.ts';
import { RunFailure } from '#query/values/failures.ts';
import { contextOf, EXAMPLE_NOW } from '#test/support/query-examples.ts';
import { localChainTo } from './local-chain.ts';
import { LocalThreads } from './local-threads.ts';
import { portableTask } from './local-work.ts';

const facts: RunFacts = { now: EXAMPLE_NOW, zone: 'UTC', user: 'kim', groups: new Map(), nextRow: () => 0n };

function taskOf(steps: string): unknown {
  const { plan } = checkQuery(`json "{a:1}" | evalc t = $("t", 0) + a | ${steps}`, contextOf({}));
  return portableTask(localChainTo(plan.result)?.planNodes ?? [], 'texts', facts);
}

const work = (signal = new AbortController().signal) =>
  new ExecutionSlots(systemClock).begin({ account: 'kim', isLong: false, signal });

const rowsOf = (count: number) => ({ texts: Array.from({ length: count }, (_, at) => `[${at}]`) });

it('A thread hands rows on in their order, and keeps what they leave behind from batch to batch', async () => {
  await using threads = closing(new LocalThreads());
  await using thread = await threads.begin(taskOf('eval b = $("t") | fields b'), work());
  const found: string[] = [];
  for (const batch of [rowsOf(1500), rowsOf(3)]) {
    for await (const { made } of thread.outputs(batch)) if (!('lines' in made)) found.push(...made);
  }
  const sum = (count: number) => (count * (count - 1)) / 2;
  const sums = [...Array.from({ length: 1500 }, (_, at) => sum(at + 1)), ...[0, 1, 3].map((more) => sum(1500) + more)];
  expect(found).toEqual(sums.map((one) => `[${one}]`));
});

it('Work that cannot be interrupted ends with its thread, and others take its place', async () => {
  await using threads = closing(new LocalThreads());
  const stopping = new AbortController();
  const endless = 'eval x = replace(lpad("", 10000, "a"), "a", lpad("", 1000, "a"))';
  const again = ' | eval x = replace(x, "(a)(a)", "$2$1", "re")'.repeat(60);
  const thread = await threads.begin(taskOf(`${endless}${again}`), work(stopping.signal));
  const working = Array.fromAsync(thread.outputs(rowsOf(1)));
  stopping.abort(new Error('enough'));
  await expect(working).rejects.toThrow('enough');
  await thread[Symbol.asyncDispose]();
  await using next = await threads.begin(taskOf('fields a'), work());
  const [output] = await Array.fromAsync(next.outputs(rowsOf(2)));
  expect(output?.made).toEqual(['[0]', '[1]']);
});

it('A failure of a row is told as what it is', async () => {
  await using threads = closing(new LocalThreads());
  const long = 'eval x = daterange(date("2000-01-01"), date(if(a == 1, "2400-01-01", "")), "1h")';
  await using thread = await threads.begin(taskOf(long), work());
  await expect(Array.fromAsync(thread.outputs({ texts: ['[1]'] }))).rejects.toThrow(RunFailure);
});

function closing(threads: LocalThreads) {
  return Object.assign(threads, { [Symbol.asyncDispose]: () => threads.close() });
}
