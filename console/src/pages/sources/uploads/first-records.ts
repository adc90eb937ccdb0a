// The beginning of a file as the import would read it: each line or row, and the record that is made of it.

import type { Format } from './upload-store.ts';

export interface FirstRecord {
  /** As it stands in the file. */
  readonly source: string;
  /** What a parser of the service makes the record of. */
  readonly line: string;
  /** False where the record gets the time of the upload. */
  readonly hasTime: boolean;
}

/** Parsers of the service that read as the import does. */
export const PARSERS: Readonly<Record<Format, string>> = { ndjson: 'json', csv: 'json', text: 'text' };

/** By the ending; `.gz` says nothing of the lines inside. */
export function formatOf(fileName: string): Format {
  const name = fileName.toLowerCase().replace(/\.gz$/, '');
  if (/\.(ndjson|jsonl|json)$/.test(name)) return 'ndjson';
  return name.endsWith('.csv') ? 'csv' : 'text';
}

/** At most `count` records of the beginning; `isWhole` is false where the text ends within the file. */
export function firstRecords(text: string, format: Format, count: number, isWhole: boolean): readonly FirstRecord[] {
  const content = text.replace(/^\uFEFF/, '');
  if (format === 'csv') return csvRecords(content, count, isWhole);
  return complete(content.split('\n'), isWhole)
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.trim() !== '')
    .slice(0, count)
    .map((source) => ({ source, line: source, hasTime: format === 'ndjson' && hasTimeIn(source) }));
}

/** Without what the end of the text may have cut; a single one is all there is. */
const complete = <T>(parts: readonly T[], isWhole: boolean): readonly T[] =>
  isWhole || parts.length < 2 ? parts : parts.slice(0, -1);

function hasTimeIn(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && '_time' in value;
  } catch {
    return false;
  }
}

/** The first row names the columns. A row that does not fit is sent as it stands: no parser of JSON takes it. */
function csvRecords(text: string, count: number, isWhole: boolean): readonly FirstRecord[] {
  const [names, ...rows] = complete(csvRows(text), isWhole);
  if (!names) return [];
  const isReadable = new Set(names.values).size === names.values.length && !names.values.includes('');
  return rows.slice(0, count).map(({ source, values, quoted }) => {
    if (!isReadable || values.length !== names.values.length) return { source, line: source, hasTime: false };
    const members = values.flatMap((value, index) =>
      value === '' && !quoted[index] ? [] : [[names.values[index], memberOf(names.values[index], value)] as const],
    );
    return { source, line: JSON.stringify(Object.fromEntries(members)), hasTime: members.some(isTime) };
  });
}

const isTime = ([name]: readonly [string | undefined, unknown]): boolean => name === '_time';

/** Values are texts; only a time may also be the number of milliseconds since 1970. */
const memberOf = (name: string | undefined, value: string): string | number =>
  name === '_time' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;

interface CsvRow {
  readonly source: string;
  readonly values: readonly string[];
  readonly quoted: readonly boolean[];
}

/** A value, quoted as in RFC 4180 or not, and what ends it. */
const VALUE = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

function csvRows(text: string): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  let from = 0;
  while (from < text.length) {
    const row = csvRow(text, from);
    if (!(row.values.length === 1 && row.source.trim() === '')) rows.push(row);
    from = row.end;
  }
  return rows;
}

function csvRow(text: string, from: number): CsvRow & { readonly end: number } {
  const value = new RegExp(VALUE);
  value.lastIndex = from;
  const values: string[] = [];
  const quoted: boolean[] = [];
  for (let found = value.exec(text); found; found = value.exec(text)) {
    const [, inQuotes, plain, end] = found;
    values.push(inQuotes?.replaceAll('""', '"') ?? plain ?? '');
    quoted.push(inQuotes !== undefined);
    if (end !== ',') return rowOf(text, from, value.lastIndex, { values, quoted });
  }
  // A quote that stands alone: the rest of the line is one text that is no row.
  const next = text.indexOf('\n', from);
  return rowOf(text, from, next === -1 ? text.length : next + 1, { values: [], quoted: [] });
}

const rowOf = (text: string, from: number, end: number, cells: Pick<CsvRow, 'values' | 'quoted'>) => ({
  source: text.slice(from, end).replace(/\r?\n$/, ''),
  ...cells,
  end,
});
