import { describe, expect, it } from 'vitest';
import { Preempted } from '#engines/engine.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { ExecutionSlots } from './execution-slots.ts';

const PROCESSORS = 2;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Runs of one piece each, that lasts until it is told to end or its run is. */
function office() {
  const clock = new ManualClock('2026-11-15T03:00:00Z');
  const running = new ExecutionSlots(clock, PROCESSORS);
  const working: string[] = [];
  return {
    working,
    async pass(seconds: number): Promise<void> {
      for (let looks = 0; looks < seconds * 4; looks += 1) clock.advance({ milliseconds: 250 });
      await settled();
    },
    async begin(name: string, { isLong = false, isVisible = false } = {}) {
      const run = running.begin({ account: name.charAt(0), isLong, signal: new AbortController().signal });
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

describe('Pieces at work', () => {
  it('are as many as there are places, for an account and for all, and one for who has none', async () => {
    const { working, begin } = office();
    const [a1] = await Promise.all(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => begin(name)));
    expect(working).toEqual(['a1', 'a2', 'b1', 'c1']);
    await a1?.finish();
    expect(working).toEqual(['a2', 'b1', 'c1']);
  });

  it('that take long leave their places to others, as long as there are such for them', async () => {
    const { working, begin, pass } = office();
    await begin('a1');
    await begin('a2');
    await begin('a3');
    await pass(1);
    expect(working).toEqual(['a1', 'a2', 'a3']);
    await begin('a4');
    expect(working).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('that take long begin again where there are too many of them and others wait, and wait for a place then', async () => {
    const { working, begin, pass } = office();
    const [first] = [await begin('a1'), await begin('a2')];
    await pass(1);
    const [, fourth] = [await begin('a3'), await begin('a4')];
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

  it('go on where they cannot begin again, and leave their places all the same', async () => {
    const { working, begin, pass } = office();
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
