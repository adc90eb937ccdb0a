import { describe, expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { Periodic, type PeriodicOptions, Rounds } from './periodic.ts';

const period = Temporal.Duration.from({ seconds: 1 });

/** Rounds that last until they are ended by hand. */
function slowWork() {
  const rounds: PromiseWithResolvers<void>[] = [];
  const work = () => {
    const round = Promise.withResolvers<void>();
    rounds.push(round);
    return round.promise;
  };
  return { rounds, work };
}

describe('Rounds', () => {
  it('are joined while one is under way', async () => {
    const { rounds, work } = slowWork();
    const shared = new Rounds(work);
    const one = shared.join();
    const other = shared.join();
    expect([rounds.length, shared.isRunning]).toEqual([1, true]);
    rounds[0]?.resolve();
    await Promise.all([one, other]);
    expect(shared.isRunning).toBe(false);
  });

  it('give what the work returns', async () => {
    const shared = new Rounds(async () => 7);
    expect(await Promise.all([shared.join(), shared.next()])).toEqual([7, 7]);
  });

  it('follow one another: calls during a round share one that begins after it, even if it fails', async () => {
    const { rounds, work } = slowWork();
    const shared = new Rounds(work);
    const first = shared.join();
    const one = shared.next();
    const other = shared.next();
    rounds[0]?.reject(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await expect.poll(() => rounds.length).toBe(2);
    rounds[1]?.resolve();
    await Promise.all([one, other, shared.ended()]);
    expect(rounds.length).toBe(2);
  });

  it('without a promise are over at once', async () => {
    let count = 0;
    const shared = new Rounds(() => {
      count += 1;
    });
    await Promise.all([shared.join(), shared.join()]);
    expect(count).toBe(2);
  });

  it('have ended when none is under way or due, failed or not', async () => {
    const { rounds, work } = slowWork();
    const shared = new Rounds(work);
    const first = shared.join().catch(() => undefined);
    const second = shared.next();
    const ended = shared.ended();
    rounds[0]?.reject(new Error('no'));
    await expect.poll(() => rounds.length).toBe(2);
    rounds[1]?.resolve();
    await Promise.all([first, second, ended]);
    expect(shared.isRunning).toBe(false);
  });
});

describe('Periodic work', () => {
  const during: readonly { option: PeriodicOptions['during']; rounds: number; sentence: string }[] = [
    { option: undefined, rounds: 2, sentence: 'has one round follow a round that lasts longer than the period' },
    { option: 'join', rounds: 1, sentence: 'has no round for a period that ends during a round, where that is set' },
    { option: 'overlap', rounds: 3, sentence: 'is called all the same where it must not wait' },
  ];
  for (const { option, rounds: expected, sentence } of during) {
    it(sentence, async () => {
      const clock = new ManualClock('2026-03-02T09:00:00Z');
      const { rounds, work } = slowWork();
      using _ = new Periodic({ clock, period, work, ...(option && { during: option }) });
      clock.advance({ seconds: 3 });
      expect(rounds.length).toBe(option === 'overlap' ? 3 : 1);
      for (const round of rounds) round.resolve();
      await expect.poll(() => rounds.length).toBe(expected);
      rounds.at(-1)?.resolve();
      await clock.settled();
    });
  }

  it('has every round if it is synchronous', () => {
    const clock = new ManualClock('2026-03-02T09:00:00Z');
    let count = 0;
    using _ = new Periodic({ clock, period, work: () => (count += 1) });
    clock.advance({ seconds: 3 });
    expect(count).toBe(3);
  });

  it('reports failures, thrown ones too, and goes on', async () => {
    const clock = new ManualClock('2026-03-02T09:00:00Z');
    const failures: unknown[] = [];
    let count = 0;
    const work = () => {
      count += 1;
      if (count === 1) throw new Error('thrown');
      return Promise.reject(new Error('rejected'));
    };
    using _ = new Periodic({ clock, period, work, failed: (error) => failures.push(error) });
    await clock.pass({ seconds: 2 });
    expect(failures).toEqual([new Error('thrown'), new Error('rejected')]);
  });

  it('starts no round after it is closed, which waits for the round under way', async () => {
    const clock = new ManualClock('2026-03-02T09:00:00Z');
    const { rounds, work } = slowWork();
    const periodic = new Periodic({ clock, period, work });
    clock.advance(period);
    let isClosed = false;
    const closing = periodic.close().then(() => {
      isClosed = true;
    });
    clock.advance(period);
    expect([rounds.length, isClosed]).toEqual([1, false]);
    rounds[0]?.resolve();
    await closing;
    expect(rounds.length).toBe(1);
  });
});
