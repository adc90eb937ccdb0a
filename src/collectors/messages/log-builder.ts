// Builds logs from messages and lines. A line that the parser of the model rejects becomes a log with the field `line`.

import { recordOf } from '#ingest/decode/record.ts';
import type { Log } from '#ingest/intake.ts';
import type { LogReader, LogReading, Readers } from '#ingest/reading/reader.ts';
import type { Target } from '#ingest/target.ts';
import { SliceTimer } from '#runtime/event-loop.ts';
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

/** Time after which the event loop runs: checked after each line, because one line may take almost as long. */
const SLICE_MS = 5;

export class LogBuilder {
  readonly #readers: Readers;
  readonly #target: Target;
  readonly #zone: string;

  constructor(readers: Readers, target: Target, zone: string) {
    this.#readers = readers;
    this.#target = target;
    this.#zone = zone;
  }

  /** Blank lines are skipped. */
  async build(lines: Iterable<Line>): Promise<BuiltLogs> {
    const reader = await this.#readers.readerFor(this.#target);
    const logs: Log[] = [];
    const timer = new SliceTimer(SLICE_MS);
    let malformed = 0;
    for (const line of lines) {
      if (line.text.trim() === '') continue;
      const reading = line.isCut ? undefined : readingOf(reader, line);
      const log = reading instanceof Promise ? await reading : reading;
      if (typeof log !== 'object') malformed += 1;
      logs.push(typeof log === 'object' ? log : await this.#asText(reader, line));
      const slot = timer.slotIfDue();
      if (slot) await slot;
    }
    return { logs, malformed };
  }

  async #asText(reader: LogReader, { text: line, at, sender }: Line): Promise<Log> {
    const fields = { line, ...(sender === undefined ? {} : Object.fromEntries(senderFields(sender))) };
    const record = recordOf(JSON.stringify(fields), { at, zone: this.#zone });
    if (typeof record === 'string') throw new Error(`a text is no record: ${record}`);
    const log = await reader.normalized(record, at);
    return typeof log === 'string' ? record : log;
  }
}

const readingOf = (reader: LogReader, { text, at, sender }: Line): LogReading =>
  reader.of(text, at, sender === undefined ? undefined : senderFields(sender));

const LINE_END_CODES = new Set([0x0d, 0x0a, 0x00]);

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
  while (end > 0 && LINE_END_CODES.has(decoded.charCodeAt(end - 1))) end -= 1;
  const text = decoded.slice(0, end);
  if (!text.includes('\ufffd') || !isMalformed()) return text;
  // A cut may go through a character.
  const whole = isCut && text.endsWith('\ufffd') ? text.slice(0, -1) : text;
  return whole.replaceAll('\ufffd', '\0');
}
