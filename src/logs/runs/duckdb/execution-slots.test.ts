import { describe, expect, it } from 'vitest';
import { Preempted } from '#logs/log-store.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { ExecutionSlots } from './execution-slots.ts';

const PROCESSORS = 2;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Runs of one task each, which lasts until the test or the signal of its run ends it. */
function slots() {
  const clock = new ManualClock('2026-11-15T03:00:00Z');
  const slots = new ExecutionSlots(clock, PROCESSORS);
  const working: string[] = [];
  return {
    working,
    async pass(seconds: number): Promise<void> {
      for (let samples = 0; samples < seconds * 4; samples += 1) clock.advance({ milliseconds: 250 });
      await settled();
    },
    async begin(name: string, { isLong = false, isVisible = false } = {}) {
      const run = slots.begin({ account: name.charAt(0), isLong, signal: new AbortController().signal });
      if (isVisible) run.markVisible();
      const over = Promise.withResolvers<void>();
      const end = run
        .runTask(async () => {
          working.push(name);
          run.signal.addEventListener('abort', () => over.reject(run.signal.reason));
          await over.promise.finally(() => working.splice(working.indexOf(name), 1));
        })
        .catch((error) => error);
      await settled();
      return {
        end,
        async finish() {
          over.resolve();
          await end;
          await settled();
        },
      };
    },
  };
}

describe('Running tasks', () => {
  it('are as many as there are slots, for an account and for all; an account that holds none gets one', async () => {
    const { working, begin } = slots();
    const [a1] = await Promise.all(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => begin(name)));
    expect(working).toEqual(['a1', 'a2', 'b1', 'c1']);
    await a1?.finish();
    expect(working).toEqual(['a2', 'b1', 'c1']);
  });

  it('of long runs move to slots for long runs, as long as there are any', async () => {
    const { working, begin, pass } = slots();
    await begin('a1');
    await begin('a2');
    await begin('a3');
    await pass(1);
    expect(working).toEqual(['a1', 'a2', 'a3']);
    await begin('a4');
    expect(working).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('of long runs are preempted where all their slots are taken and other runs are queued', async () => {
    const { working, begin, pass } = slots();
    const first = await begin('a1');
    await begin('a2');
    await pass(1);
    await begin('a3');
    const fourth = await begin('a4');
    await pass(2);
    expect(working).toEqual(['a1', 'a2', 'a3', 'a4']);
    const light = await begin('a5');
    await begin('a6');
    await pass(0.25);
    expect(await fourth.end).toBeInstanceOf(Preempted);
    expect(working).toEqual(['a1', 'a2', 'a3', 'a5', 'a6']);
    await light.finish();
    await begin('a4 again', { isLong: true });
    expect(working).toEqual(['a1', 'a2', 'a3', 'a6']);
    await first.finish();
    expect(working).toEqual(['a2', 'a3', 'a6', 'a4 again']);
  });

  it('whose effects are visible go on, and give their slots up all the same', async () => {
    const { working, begin, pass } = slots();
    for (const name of ['a1', 'a2', 'a3']) {
      await begin(name, { isVisible: true });
      await pass(1);
    }
    await begin('a4', { isVisible: true });
    await begin('a5', { isVisible: true });
    await begin('a6');
    expect(working).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
    await pass(1);
    expect(working).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
  });
});
