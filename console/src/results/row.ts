// Rows of a result as the service writes them.

export type Row = Readonly<Record<string, unknown>>;

/** A run of digits that a double may not hold exactly. */
const LONG_NUMBER = /\d{16}/;

/** Whole numbers beyond what a double holds exactly become bigints: an id is shown and searched for as it is stored. */
export function parseRow(line: string): Row {
  if (!LONG_NUMBER.test(line)) return JSON.parse(line) as Row; // Rows are objects by the format.
  return JSON.parse(line, exactly as Parameters<typeof JSON.parse>[1]) as Row;
}

/** The third argument is in all browsers of the last years, and not yet in the types. */
function exactly(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
  return /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** As JSON, bigints as numbers. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? rawNumber(one) : one), indent) ?? 'null';

/** Without `rawJSON` the digits are text; none is lost. */
export function rawNumber(value: bigint): unknown {
  const { rawJSON } = JSON as unknown as { rawJSON?(text: string): unknown };
  return rawJSON ? rawJSON(String(value)) : String(value);
}

export type ValueType = 'null' | 'bool' | 'long' | 'double' | 'date' | 'string' | 'list' | 'map' | 'any';

/** The type of a value: the declared one where there is one, otherwise as JSON tells it. */
export function typeOf(value: unknown, declared: string | undefined): ValueType {
  if (value === null || value === undefined) return 'null';
  if (declared === 'date' && typeof value === 'string') return 'date';
  if (typeof value === 'bigint') return 'long';
  if (typeof value === 'number') return Number.isInteger(value) && declared !== 'double' ? 'long' : 'double';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? 'list' : 'map';
}

/** One line for a cell, and for the clipboard. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? jsonText(value) : String(value);
}

/** The raw text of a record where it is kept, otherwise its fields. */
export function rawText(row: Row): string {
  if (typeof row.line === 'string') return row.line;
  return Object.entries(row)
    .filter(([name, value]) => !name.startsWith('_') && value !== null)
    .map(([name, value]) => `${name}=${quotedWhereNeeded(valueText(value))}`)
    .join(' ');
}

const quotedWhereNeeded = (text: string): string => (/[\s"=]/.test(text) || text === '' ? JSON.stringify(text) : text);
