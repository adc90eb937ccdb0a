import { describe, expect, it } from 'vitest';
import { Serial, SerialByKey } from './serial.ts';

describe('Serial work', () => {
  it('begins once all earlier work has ended', async () => {
    const serial = new Serial();
    const first = Promise.withResolvers<void>();
    const events: string[] = [];
    const one = serial.run(async () => {
      await first.promise;
      events.push('one');
    });
    const two = serial.run(() => events.push('two'));
    await Promise.resolve();
    expect(events).toEqual([]);
    first.resolve();
    await Promise.all([one, two]);
    expect(events).toEqual(['one', 'two']);
  });

  it('runs after work that failed, whose caller alone has the error', async () => {
    const serial = new Serial();
    const failed = serial.run(() => Promise.reject(new Error('no')));
    const next = serial.run(() => 'done');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  it('does not run after failed work that it builds on, and rejects with the same error', async () => {
    const serial = new Serial({ stopsAtFailure: true });
    const failed = serial.run(() => Promise.reject(new Error('no')));
    let hasRun = false;
    const next = serial.run(() => {
      hasRun = true;
    });
    await expect(failed).rejects.toThrow('no');
    await expect(next).rejects.toThrow('no');
    expect(hasRun).toBe(false);
  });

  it('has ended when all of it has, failed or not', async () => {
    const serial = new Serial();
    const events: string[] = [];
    serial.run(() => Promise.reject(new Error('no'))).catch(() => events.push('failed'));
    void serial.run(() => events.push('done'));
    await serial.ended();
    expect(events).toEqual(['failed', 'done']);
  });
});

describe('Serial work by key', () => {
  it('waits for work of its own key only, and keeps no key after its work', async () => {
    const serial = new SerialByKey<string>();
    const first = Promise.withResolvers<void>();
    const events: string[] = [];
    const slow = serial.run('a', () => first.promise);
    const behind = serial.run('a', () => events.push('a'));
    await serial.run('b', () => events.push('b'));
    expect([events, serial.size]).toEqual([['b'], 1]);
    first.resolve();
    await Promise.all([slow, behind]);
    expect([events, serial.size]).toEqual([['b', 'a'], 0]);
  });
});
