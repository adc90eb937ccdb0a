import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Interruption } from './interruption.ts';

describe('An interruption', () => {
  it.each<[NodeJS.Signals, number, boolean]>([
    ['SIGINT', 130, true],
    ['SIGTERM', 143, true],
    ['SIGHUP', 129, false],
  ])('by %s ends with %i', (signal, exitCode, hasTerminal) => {
    const source = new EventEmitter();
    using interruption = new Interruption(source);
    expect([interruption.exitCode, interruption.signal.aborted]).toEqual([undefined, false]);
    source.emit(signal, signal);
    expect([interruption.exitCode, interruption.signal.aborted]).toEqual([exitCode, true]);
    expect(interruption.hasTerminal).toBe(hasTerminal);
  });

  it('is left to the system from the second on, and when it is no longer listened for', () => {
    const source = new EventEmitter();
    const listeners = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => source.listenerCount(signal));
    const heard = new Interruption(source);
    source.emit('SIGINT', 'SIGINT');
    expect(listeners()).toEqual([0, 0, 0]);
    heard[Symbol.dispose]();
    const unheard = new Interruption(source);
    expect(listeners()).toEqual([1, 1, 1]);
    unheard[Symbol.dispose]();
    expect(listeners()).toEqual([0, 0, 0]);
  });
});
