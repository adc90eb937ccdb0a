// A record as one line for people: its time, its table where several are read, its text, its other fields.

import { styleText } from 'node:util';
import { printable } from '#cli/kit/output/text-table.ts';
import type { TimeText } from '#cli/kit/output/time-text.ts';
import { parseExactly } from '#kernel/json/parse-json.ts';

export interface RecordTextOptions {
  readonly timeText: TimeText;
  /** Columns whose values are times. */
  readonly dates: ReadonlySet<string>;
  /** Whether the table of a record is shown. */
  readonly hasTable: boolean;
  readonly isColoured: boolean;
}

/** A record may be a megabyte; `--json` prints it whole. */
const MAX_CHARACTERS = 4000;
const OWN = new Set(['_time', '_table', '_id', 'line']);

export function recordText(json: string, options: RecordTextOptions): string {
  // A line of the service is one object.
  const record = parseExactly(json) as Readonly<Record<string, unknown>>;
  const { _time: time, _table: table, line } = record;
  const others = Object.entries(record).filter(([name, value]) => !OWN.has(name) && value !== null);
  const text = [
    ...(options.hasTable && typeof table === 'string' ? [table] : []),
    ...(typeof line === 'string' ? [line] : []),
    ...others.map(
      ([name, value]) => `${name}=${valueText(value, options.dates.has(name) ? options.timeText : quoted)}`,
    ),
  ].join(' ');
  const shown = printable(text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);
  return typeof time === 'string' ? `${dimmed(options.timeText(time), options)}  ${shown}` : shown;
}

const valueText = (value: unknown, ofText: (text: string) => string): string =>
  typeof value === 'string' ? ofText(value) : JSON.stringify(value);

/** Values with blanks or quotes are written as JSON, so that the next field can be told from them. */
const quoted = (text: string): string => (/^[^\s"]+$/.test(text) ? text : JSON.stringify(text));

const dimmed = (text: string, { isColoured }: RecordTextOptions): string =>
  isColoured ? styleText('dim', text, { validateStream: false }) : text;
