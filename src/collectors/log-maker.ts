// Messages and lines as logs. What the parser of the logger's model cannot read is a log all the same: its text is the
// field `line`.

import type { LogRecord, Shape } from '#engines/engine.ts';
import type { Log } from '#ingest/intake.ts';
import { TEXT_PARSER } from '#ingest/parsers.ts';
import { recordOf } from '#ingest/record.ts';
import type { LogReader } from './reader.ts';

/** The field that says who sent a message. */
export const SENDER_FIELD = 'remote_ip';

export interface Line {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** It was too long: what is left of it is for no parser. */
  readonly isCut: boolean;
  /** The address of whoever sent it. */
  readonly sender?: string;
}

export interface Made {
  readonly logs: readonly Log[];
  /** How many of them are there as text alone. */
  readonly malformed: number;
}

/** After so many lines others get their turn. */
const TURN_LINES = 500;

export class LogMaker {
  readonly #reader: LogReader;
  readonly #zone: string;
  readonly #extended = new WeakMap<Shape, Shape | null>();

  constructor(reader: LogReader, zone: string) {
    this.#reader = reader;
    this.#zone = zone;
  }

  async make(lines: readonly Line[]): Promise<Made> {
    const logs: Log[] = [];
    let malformed = 0;
    for (const [index, line] of lines.entries()) {
      const log = line.isCut ? undefined : this.#parsed(line);
      if (!log) malformed += 1;
      logs.push(this.#withSender(log ?? this.#asText(line), line.sender));
      if ((index + 1) % TURN_LINES === 0) await new Promise(setImmediate);
    }
    return { logs, malformed };
  }

  #parsed({ text, at }: Line): Log | undefined {
    const outcome = this.#reader.of(text, at);
    return typeof outcome === 'string' ? undefined : outcome;
  }

  #asText({ text, at }: Line): Log {
    const record = recordOf(TEXT_PARSER.parse(text), { at, zone: this.#zone });
    if (typeof record === 'string') throw new Error(`a text is no record: ${record}`);
    return this.#reader.normalized(record);
  }

  /** What a record says itself under that name counts. */
  #withSender(log: Log, sender: string | undefined): Log {
    const shape = sender === undefined ? null : this.#withSenderField(log.shape);
    if (shape === null) return log;
    const comma = log.shape.names.length > 0 ? ',' : '';
    const end = log.text.lastIndexOf('}');
    const text = `${log.text.slice(0, end)}${comma}"${SENDER_FIELD}":${JSON.stringify(sender)}}`;
    return { ...log, shape, text } satisfies LogRecord;
  }

  /** The same for all records of one shape, so that they go on sharing it. Null where the field is taken. */
  #withSenderField(shape: Shape): Shape | null {
    const known = this.#extended.get(shape);
    if (known !== undefined) return known;
    const names = [...shape.names, SENDER_FIELD];
    const extended = shape.names.includes(SENDER_FIELD) ? null : { names, types: [...shape.types, 'string' as const] };
    this.#extended.set(shape, extended);
    return extended;
  }
}

/** Without line ends and zeros behind it, which some senders add; zeros inside of it could not be kept. */
export function soundText(text: string): string {
  let end = text.length;
  while (end > 0 && '\r\n\0'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).replaceAll('\0', '\ufffd');
}
