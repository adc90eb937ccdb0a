// The columns of rows: which are there, which are shown, how wide they are.

import { type Row, typeOf, valueText } from './row.ts';

export interface ColumnType {
  readonly name: string;
  readonly type: string;
}

/** Known columns first, then names that rows have besides, in the order in which they occur. */
export function fieldsOf(known: readonly ColumnType[], rows: readonly Row[]): readonly ColumnType[] {
  const fields = new Map(known.map((column) => [column.name, column]));
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (!fields.has(name) && value !== null)
        fields.set(name, { name, type: name === '_time' ? 'date' : typeOf(value, undefined) });
    }
  }
  return [...fields.values()];
}

const MAX_INITIAL = 12;
const MIN_TELLING = 20;

/** What is shown before columns are chosen: not the number of a record, nor a table that is the same for all, nor empty columns. */
export function initialColumns(fields: readonly ColumnType[], rows: readonly Row[]): readonly string[] {
  const isSame = (name: string) => new Set(rows.map((row) => row[name])).size <= 1;
  const isEmpty = (name: string) =>
    rows.length > 0 && rows.every((row) => row[name] === null || row[name] === undefined);
  const isRecord = fields.some(({ name }) => name === '_id');
  const names = fields
    .map(({ name }) => name)
    .filter(
      (name) =>
        !isRecord || (name !== '_id' && name !== '_schema' && !(name === '_table' && isSame(name)) && !isEmpty(name)),
    );
  // A value that all records share tells little; of few records it may be chance.
  const telling = isRecord && rows.length >= MIN_TELLING ? names.toSorted((a, b) => +isSame(a) - +isSame(b)) : names;
  const ordered = names.includes('_time') ? ['_time', ...telling.filter((name) => name !== '_time')] : telling;
  return isRecord ? ordered.slice(0, MAX_INITIAL) : ordered;
}

const MIN_CH = 6;
const MAX_CH = 44;
const PADDING_CH = 3;
const TIME_CH = 27;
/** The header has a mark behind its name. */
const HEADER_CH = 4;

/** Tracks of a grid from the lengths of names and first values; the last column takes what is left, unless it has numbers. */
export function columnTracks(
  columns: readonly string[],
  types: ReadonlyMap<string, string>,
  rows: readonly Row[],
): string {
  const tracks = columns.map((name) => {
    if (types.get(name) === 'date') return TIME_CH;
    const longest = Math.max(
      name.length + HEADER_CH,
      ...rows.map((row) => widthOf(valueText(row[name]).slice(0, MAX_CH))),
    );
    return Math.min(MAX_CH, Math.max(MIN_CH, longest)) + PADDING_CH;
  });
  // A number at the far edge would stand away from its header.
  const isLastNumber = isNumber(types.get(columns.at(-1) ?? ''));
  const widths = tracks.map((width, index) =>
    index === tracks.length - 1 && !isLastNumber ? `minmax(${width}ch, 1fr)` : `${width}ch`,
  );
  return [...widths, ...(isLastNumber ? ['1fr'] : [])].join(' ');
}

export const isNumber = (type: string | undefined): boolean => type === 'long' || type === 'double';

/** Characters of East Asia are twice as wide. */
const widthOf = (text: string): number =>
  text.length + (text.match(/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uff00-\uffe6]/g)?.length ?? 0);

/** `name` before or behind another column. */
export function placed(
  columns: readonly string[],
  name: string,
  { target, isBehind }: { readonly target: string; readonly isBehind: boolean },
): readonly string[] {
  if (name === target || !columns.includes(name)) return columns;
  const others = columns.filter((one) => one !== name);
  return others.toSpliced(others.indexOf(target) + (isBehind ? 1 : 0), 0, name);
}

export const moved = (columns: readonly string[], name: string, step: -1 | 1): readonly string[] => {
  const from = columns.indexOf(name);
  const to = from + step;
  if (from === -1 || to < 0 || to >= columns.length) return columns;
  return columns.with(from, columns[to] ?? name).with(to, name);
};
