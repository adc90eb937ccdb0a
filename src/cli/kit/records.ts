// Prints records on standard output: aligned for people, or as JSON for programs.

import { styleText } from 'node:util';
import type { MessageCode } from '#cli/messages/index.ts';
import type { Flags, Invocation } from './command.ts';
import { columns, printable } from './text-table.ts';

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
  /** Shown in red. */
  isBad?(record: R): boolean;
}

export const printJson = ({ print }: Pick<Invocation, 'print'>, value: unknown): void => print(jsonText(value));

/** One line per record under the titles of the fields. An empty list is reported on standard error. */
export function printList<R>(invocation: Invocation, records: readonly R[], fields: readonly Field<R>[]): void {
  const { translator, flags, print, note } = invocation;
  const isEmpty = records.length === 0 && !flags.json;
  if (isEmpty) note(translator.text('nothing-found'));
  else for (const line of flags.json ? [jsonText(records)] : listLines(invocation, records, fields)) print(line);
}

/** One line per field that the record has. */
export function printRecord<R>(invocation: Invocation, record: R, fields: readonly Field<R>[]): void {
  const { flags, print } = invocation;
  for (const line of flags.json ? [jsonText(record)] : recordLines(invocation, record, fields)) print(line);
}

function listLines<R>(invocation: Invocation, records: readonly R[], fields: readonly Field<R>[]): string[] {
  const titles = fields.map(({ title }) => titled(invocation, title));
  const rows = records.map((record) => fields.map((field) => cellOf(invocation, field, record)));
  return columns(
    [titles, ...rows],
    fields.map(({ isNumeric = false }) => isNumeric),
  );
}

function recordLines<R>(invocation: Invocation, record: R, fields: readonly Field<R>[]): string[] {
  const present = fields.filter((field) => field.text(record) !== undefined);
  return columns(present.map((field) => [titled(invocation, field.title), cellOf(invocation, field, record)]));
}

const jsonText = (value: unknown) => JSON.stringify(value, null, 2);

const titled = (invocation: Invocation, title: MessageCode) =>
  styled(invocation, 'bold', invocation.translator.text(title));

function cellOf<R>(invocation: Invocation, field: Field<R>, record: R): string {
  const text = printable(field.text(record) ?? '');
  return field.isBad?.(record) ? styled(invocation, 'red', text) : text;
}

const styled = ({ isColoured }: Invocation, style: 'bold' | 'red', text: string): string =>
  isColoured ? styleText(style, text, { validateStream: false }) : text;
