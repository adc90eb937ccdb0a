// Keeps the messages of one logger, trying again for as long as its table cannot take them.

import { backOff } from './back-off.ts';
import type { CollectorParts } from './collector.ts';
import type { Message } from './inbox.ts';
import { type Line, type Made, storableText } from './log-maker.ts';

export class Keeper {
  readonly #parts: CollectorParts;
  /** Aborted when nothing is tried again any more. */
  readonly #giveUp: AbortSignal;

  constructor(parts: CollectorParts, giveUp: AbortSignal) {
    this.#parts = parts;
    this.#giveUp = giveUp;
  }

  /** Rejects when they were given up; they are counted as dropped then. */
  async keep(messages: readonly Message[]): Promise<void> {
    const { assignment, counters } = this.#parts;
    const lines = messages.map(lineOf).filter(({ text }) => text.trim() !== '');
    const { logs, malformed } = await this.#take(lines).catch((error) => {
      this.drop(messages);
      throw error;
    });
    counters.add(assignment.guid, { logs: logs.length, volume: bytesOf(messages), drops: 0, dropVolume: 0 });
    counters.malformed(assignment.guid, malformed);
  }

  drop(messages: readonly Message[]): void {
    const { assignment, counters } = this.#parts;
    const counts = { logs: 0, volume: 0, drops: messages.length, dropVolume: bytesOf(messages) };
    counters.add(assignment.guid, counts, 'dropped');
  }

  /** What the system has dropped before anybody saw it: nobody knows how long that was. */
  missed(drops: number): void {
    const { assignment, counters } = this.#parts;
    if (drops > 0) counters.add(assignment.guid, { logs: 0, volume: 0, drops, dropVolume: 0 }, 'dropped');
  }

  async #take(lines: readonly Line[]): Promise<Made> {
    const { intake, destination, clock, report, maker } = this.#parts;
    for (let tries = 0; ; tries += 1) {
      try {
        const made = await maker.make(lines);
        await intake.take(destination, made.logs);
        report(undefined);
        return made;
      } catch (error) {
        report(error);
        await clock.sleep(backOff(tries), this.#giveUp);
        if (this.#giveUp.aborted) throw error;
      }
    }
  }
}

/** Bytes that are no UTF-8 are told apart no more, but the message is there. */
const lineOf = ({ bytes, at, isCut, sender }: Message): Line => ({
  text: storableText(bytes.toString('utf8')),
  at,
  isCut,
  sender,
});

const bytesOf = (messages: readonly Message[]): number =>
  messages.reduce((total, { bytes }) => total + bytes.length, 0);
