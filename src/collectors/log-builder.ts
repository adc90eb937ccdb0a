// Builds logs from messages and lines. A line that the parser of the model rejects becomes a log with the field `line`.

import type { Log } from '#ingest/intake.ts';
import type { LogReader, Readers } from '#ingest/reader.ts';
import { recordOf } from '#ingest/record.ts';
import type { Target } from '#ingest/target.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import { type Sender, senderFields } from './sender.ts';

export interface Line {
  /** As `lineText` returns it. */
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether the text is truncated: such a line is not parsed. */
  readonly isCut: boolean;
  readonly sender?: Sender;
}

export interface BuiltLogs {
  readonly logs: readonly Log[];
  /** Number of logs that are stored as text. */
  readonly malformed: number;
}

/** Lines between two checks of the time, and the time after which the event loop runs. */
const YIELD_CHECK_LINES = 50;
const YIELD_AFTER_MS = 5;

export class LogBuilder {
  readonly #readers: Readers;
  readonly #target: Target;
  readonly #zone: string;

  constructor(readers: Readers, target: Target, zone: string) {
    this.#readers = readers;
    this.#target = target;
    this.#zone = zone;
  }

  async build(lines: readonly Line[]): Promise<BuiltLogs> {
    const reader = await this.#readers.readerFor(this.#target);
    const logs: Log[] = [];
    let malformed = 0;
    let begun = performance.now();
    for (const [index, line] of lines.entries()) {
      const log = line.isCut ? undefined : parsed(reader, line);
      if (!log) malformed += 1;
      logs.push(log ?? this.#asText(reader, line));
      if ((index + 1) % YIELD_CHECK_LINES !== 0 || performance.now() - begun < YIELD_AFTER_MS) continue;
      await eventLoop.nextSlot();
      begun = performance.now();
    }
    return { logs, malformed };
  }

  #asText(reader: LogReader, { text: line, at, sender }: Line): Log {
    const fields = { line, ...(sender === undefined ? {} : Object.fromEntries(senderFields(sender))) };
    const record = recordOf(JSON.stringify(fields), { at, zone: this.#zone });
    if (typeof record === 'string') throw new Error(`a text is no record: ${record}`);
    return reader.normalized(record, at);
  }
}

function parsed(reader: LogReader, { text, at, sender }: Line): Log | undefined {
  const outcome = reader.of(text, at, sender === undefined ? undefined : senderFields(sender));
  return typeof outcome === 'string' ? undefined : outcome;
}

interface Decoding {
  /** Whether the text is the beginning of a longer one. */
  readonly isCut: boolean;
  /** Whether a U+FFFD in the text stands for malformed bytes. */
  isMalformed(): boolean;
}

/**
 * The text of a line without trailing line ends and NULs, which some senders add. Characters in place of malformed bytes
 * become NULs, which the reader replaces again: it marks the log.
 */
export function lineText(decoded: string, { isCut, isMalformed }: Decoding): string {
  let end = decoded.length;
  while (end > 0 && '\r\n\0'.includes(decoded.charAt(end - 1))) end -= 1;
  const text = decoded.slice(0, end);
  if (!text.includes('\ufffd') || !isMalformed()) return text;
  // A cut may go through a character.
  const whole = isCut && text.endsWith('\ufffd') ? text.slice(0, -1) : text;
  return whole.replaceAll('\ufffd', '\0');
}
