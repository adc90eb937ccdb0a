// Rows as lines of a file.

import type { Value } from '#query/model/values.ts';
import type { Output } from '#query/plan-nodes/output.ts';
import { jsonOf, ownFields } from '#query/rows/whole-rows.ts';
import { textOf } from '#query/values/conversions.ts';
import { type Encode, encoderOf, markOf } from './encodings.ts';

type Fields = ReadonlyMap<string, Value>;

export interface RowLines {
  readonly heading: string;
  line(row: Fields): string;
  readonly encode: Encode;
}

export function rowLines({ form, names = [] }: Output, zone: string): RowLines {
  const encode = encoderOf(form.encoding);
  const text = (value: Value | undefined) => textOf(value ?? null, zone)?.toWellFormed();
  switch (form.format) {
    case 'csv': {
      const { separator, mark, encoding } = form;
      const lineOf = (values: readonly (string | undefined)[]) =>
        `${values.map((value) => quoted(value, separator)).join(separator)}\n`;
      return {
        heading: `${mark ? markOf(encoding) : ''}${lineOf(names)}`,
        line: (row) => lineOf(names.map((name) => text(row.get(name)))),
        encode,
      };
    }
    case 'txt':
      return {
        heading: '',
        line: (row) => `${names.map((name) => text(row.get(name)) ?? '').join(form.delimiter)}\n`,
        encode,
      };
    case 'json': {
      const fields = (row: Fields) =>
        names.length > 0 ? names.map((name) => [name, row.get(name) ?? null] as const) : ownFields(row);
      return { heading: '', line: (row) => `${jsonOf(fields(row), zone)}\n`, encode };
    }
  }
}

/** Quotes after RFC 4180. An empty text is quoted and null is not, so that an import can tell them apart. */
function quoted(value: string | undefined, separator: string): string {
  if (value === undefined) return '';
  const isPlain = value !== '' && !value.includes(separator) && !/["\r\n]/.test(value);
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`;
}
