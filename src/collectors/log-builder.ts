// Messages and lines as logs. What the parser of the logger's model cannot read is a log all the same: its text is the
// field `line`.

import type { Log } from '#ingest/intake.ts';
import type { LogReader, Readers } from '#ingest/reader.ts';
import { recordOf } from '#ingest/record.ts';
import type { Target } from '#ingest/target.ts';
import { turn } from '#kernel/turns.ts';

/** The field that says who sent a message; what the message itself says under that name is not believed. */
const SENDER_FIELD = 'sender_ip';

export interface Line {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** It was too long: what is left of it is for no parser. */
  readonly isCut: boolean;
  /** The address of whoever sent it. */
  readonly sender?: string;
}

export interface BuiltLogs {
  readonly logs: readonly Log[];
  /** How many of them are there as text alone. */
  readonly malformed: number;
}

/** After so many lines it is looked how long they took, and after so long others get their turn. */
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
      await turn();
      begun = performance.now();
    }
    return { logs, malformed };
  }

  #asText(reader: LogReader, { text: line, at, sender }: Line): Log {
    const fields = { line, ...(sender === undefined ? {} : { [SENDER_FIELD]: sender }) };
    const record = recordOf(JSON.stringify(fields), { at, zone: this.#zone });
    if (typeof record === 'string') throw new Error(`a text is no record: ${record}`);
    return reader.normalized(record, at);
  }
}

function parsed(reader: LogReader, { text, at, sender }: Line): Log | undefined {
  const outcome = reader.of(text, at, sender === undefined ? undefined : new Map([[SENDER_FIELD, sender]]));
  return typeof outcome === 'string' ? undefined : outcome;
}

/** Without line ends and zeros behind it, which some senders add; zeros inside of it could not be kept. */
export function storableText(text: string): string {
  let end = text.length;
  while (end > 0 && '\r\n\0'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).replaceAll('\0', '\ufffd');
}
