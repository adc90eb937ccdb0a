// The parts of a query text that the page works with: the driver, and the commands behind it that look at one row at a time.

import { withoutOptions } from '#contract/live-driver.ts';
import { type CommandText, commandsOf } from './command-texts.ts';

export type CommandKind = 'driver' | 'row' | 'transforming' | 'sink';
export type CommandKinds = ReadonlyMap<string, CommandKind>;

/** The beginning of a text up to its first command that is not of one row: what the histogram and the field list count. */
export interface FilterPart {
  readonly driver: CommandText;
  /** Behind the driver, in the order of the text. */
  readonly filters: readonly CommandText[];
  /** Of the last command of the part. */
  readonly end: number;
  /** The only table, where the driver is a `table` that names one. */
  readonly table: string | undefined;
  /** Whether the driver has a time range of its own, before which that of the page counts for nothing. */
  readonly hasOwnRange: boolean;
  /** Whether the driver reads records as they arrive. */
  readonly isLive: boolean;
  /** Whether the part is the whole text. */
  readonly isWhole: boolean;
}

const RECORDS = new Set(['table', 'fulltext']);
const RANGE_OPTION = /(?:^|\s)(?:duration|from|to|window)=/;
const WINDOW_OPTION = /(?:^|\s)window=/;
const ONE_TABLE = /^[\p{L}][\p{L}\p{Nd}_]*$/u;

/** Undefined for a text that reads no stored records, or reads them several times. */
export function filterPartOf(text: string, kinds: CommandKinds): FilterPart | undefined {
  const commands = commandsOf(text);
  const first = commands.findIndex(({ name }) => name !== 'set' && name !== 'setq');
  const driver = commands[first];
  if (!driver || !RECORDS.has(driver.name)) return undefined;
  const rest = commands.slice(first + 1);
  if (rest.some(({ name }) => kinds.get(name) === 'driver')) return undefined;
  const other = rest.findIndex(({ name }) => kinds.get(name) !== 'row');
  const filters = other === -1 ? rest : rest.slice(0, other);
  const options = outsideStrings(objectsOf(text, driver));
  return {
    driver,
    filters,
    end: (filters.at(-1) ?? driver).end,
    table: driver.name === 'table' ? tableOf(text, driver) : undefined,
    hasOwnRange: RANGE_OPTION.test(options),
    isLive: WINDOW_OPTION.test(options),
    isWhole: other === -1,
  };
}

const objectsOf = (text: string, { name, begin, end }: CommandText): string =>
  text.slice(begin + name.length, end).trim();

const STRINGS = /"(?:\\.|[^"\\])*"|[“”„＂](?:\\.|[^"“”„＂\\])*["“”„＂]/g;

const outsideStrings = (text: string): string => text.replace(STRINGS, '""');

function tableOf(text: string, driver: CommandText): string | undefined {
  const name = withoutOptions(objectsOf(text, driver));
  return ONE_TABLE.test(name) ? name : undefined;
}

/** The commands behind the driver, with their pipes left out at the beginning: the `q` of facets. */
export function filtersText(text: string, { filters, end }: FilterPart): string {
  const [first] = filters;
  return first ? text.slice(first.begin, end) : '';
}
