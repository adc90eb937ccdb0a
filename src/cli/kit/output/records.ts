// Prints records on standard output: aligned for people, or as JSON for programs.

import { styleText } from 'node:util';
import type { Client } from '#cli/kit/client.ts';
import type { Flags, Invocation } from '#cli/kit/command.ts';
import type { MessageCode } from '#cli/messages/index.ts';
import { columns, printable } from './text-table.ts';
import { asWritten, type TimeText, timeTextFor } from './time-text.ts';

export const jsonFlag: Flags = {
  json: { about: { en: 'print JSON, as the service gave it', ko: '서비스가 준 그대로 JSON으로 출력' } },
};

/** Flags of a list that begins with the newest record; `initial` is the default limit. */
export const pagesOf = (initial: number): Flags => ({
  limit: {
    hint: 'N',
    about: { en: 'at most so many, newest first', ko: '최신순으로 최대 개수' },
    sends: 'limit',
    initial: String(initial),
  },
  offset: { hint: 'N', about: { en: 'so many are passed over', ko: '건너뛸 개수' }, sends: 'offset' },
});

export interface Field<R> {
  readonly title: MessageCode;
  text(record: R): string | undefined;
  /** Aligned to the right in a list. */
  readonly isNumeric?: boolean;
  /** A time of the service, shown in the zone of the account; other text in its place stays as it is. */
  readonly isTime?: true;
  /** Shown in red. */
  isBad?(record: R): boolean;
}

/** The client is asked for the zone of its account where fields are times. */
export interface RecordOutput {
  readonly invocation: Invocation;
  readonly client: Client;
}

export const printJson = ({ print }: Pick<Invocation, 'print'>, value: unknown): void =>
  print(JSON.stringify(value, null, 2));

/** One line per record under the titles of the fields. An empty list is reported on standard error. */
export async function printList<R>(
  output: RecordOutput,
  records: readonly R[],
  fields: readonly Field<R>[],
): Promise<void> {
  const { translator, flags, print, note } = output.invocation;
  if (flags.json) return printJson(output.invocation, records);
  if (records.length === 0) return note(translator.text('nothing-found'));
  for (const line of listLines(await styleOf(output, fields), records, fields)) print(line);
}

/** One line per field that the record has. */
export async function printRecord<R>(output: RecordOutput, record: R, fields: readonly Field<R>[]): Promise<void> {
  const { flags, print } = output.invocation;
  if (flags.json) return printJson(output.invocation, record);
  for (const line of recordLines(await styleOf(output, fields), record, fields)) print(line);
}

interface Style extends Pick<Invocation, 'translator' | 'isColoured'> {
  readonly timeText: TimeText;
}

async function styleOf<R>({ invocation, client }: RecordOutput, fields: readonly Field<R>[]): Promise<Style> {
  const { translator, isColoured } = invocation;
  const hasTimes = fields.some(({ isTime }) => isTime);
  return { translator, isColoured, timeText: hasTimes ? await timeTextFor(client, invocation) : asWritten };
}

function listLines<R>(style: Style, records: readonly R[], fields: readonly Field<R>[]): string[] {
  const titles = fields.map(({ title }) => titled(style, title));
  const rows = records.map((record) => fields.map((field) => cellOf(style, field, record)));
  return columns(
    [titles, ...rows],
    fields.map(({ isNumeric = false }) => isNumeric),
  );
}

function recordLines<R>(style: Style, record: R, fields: readonly Field<R>[]): string[] {
  const present = fields.filter((field) => field.text(record) !== undefined);
  return columns(present.map((field) => [titled(style, field.title), cellOf(style, field, record)]));
}

const titled = (style: Style, title: MessageCode) => styled(style, 'bold', style.translator.text(title));

function cellOf<R>(style: Style, field: Field<R>, record: R): string {
  const written = field.text(record) ?? '';
  const text = printable(field.isTime ? style.timeText(written) : written);
  return field.isBad?.(record) ? styled(style, 'red', text) : text;
}

const styled = ({ isColoured }: Style, kind: 'bold' | 'red', text: string): string =>
  isColoured ? styleText(kind, text, { validateStream: false }) : text;
