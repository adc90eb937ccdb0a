// Stores the messages of one logger, with retries while its table is unavailable.

import { isUtf8 } from 'node:buffer';
import { BACK_OFF } from '#collectors/back-off.ts';
import type { CollectorDeps } from '#collectors/collector.ts';
import { retry } from '#runtime/retry.ts';
import { type BuiltLogs, type Line, lineText } from './log-builder.ts';
import type { Message } from './message-queue.ts';

export class MessageWriter {
  readonly #deps: CollectorDeps;
  /** Aborts retries. */
  readonly #giveUp: AbortSignal;

  constructor(deps: CollectorDeps, giveUp: AbortSignal) {
    this.#deps = deps;
    this.#giveUp = giveUp;
  }

  /** Rejects after an aborted retry; the messages are counted as dropped unless they are stored. */
  async write(messages: readonly Message[]): Promise<void> {
    const { assignment, counters } = this.#deps;
    const { malformed } = await this.#take(messages);
    counters.malformed(assignment.guid, malformed);
  }

  drop(messages: readonly Message[]): void {
    const { assignment, counters } = this.#deps;
    const counts = { logs: 0, volume: 0, drops: messages.length, dropVolume: bytesOf(messages) };
    counters.add(assignment.guid, counts, 'dropped');
  }

  /** Counts datagrams dropped by the operating system, whose sizes are unknown. */
  countSystemDrops(drops: number): void {
    const { assignment, counters } = this.#deps;
    if (drops > 0) counters.add(assignment.guid, { logs: 0, volume: 0, drops, dropVolume: 0 }, 'dropped');
  }

  async #take(messages: readonly Message[]): Promise<BuiltLogs> {
    const { intake, destination, counters, assignment, clock, report, logBuilder } = this.#deps;
    let isStored = false;
    const store = async () => {
      const made = await logBuilder.build(linesOf(messages));
      const counts = { logs: made.logs.length, volume: bytesOf(messages), drops: 0, dropVolume: 0 };
      const stored = () => {
        isStored = true;
        counters.add(assignment.guid, counts);
      };
      await intake.take(destination, made.logs, { stored });
      report(undefined);
      return made;
    };
    const options = { clock, delays: BACK_OFF, signal: this.#giveUp, failed: report };
    return await retry(store, options).catch((error) => {
      if (!isStored) this.drop(messages);
      throw error;
    });
  }
}

/** One at a time: to make them of a whole batch takes too long. */
function* linesOf(messages: readonly Message[]): Generator<Line> {
  for (const message of messages) yield lineOf(message);
}

const lineOf = ({ bytes, at, isCut, sender }: Message): Line => ({
  text: lineText(bytes.toString('utf8'), { isCut, isMalformed: () => !isUtf8(bytes) }),
  at,
  isCut,
  sender,
});

const bytesOf = (messages: readonly Message[]): number =>
  messages.reduce((total, { bytes }) => total + bytes.length, 0);
