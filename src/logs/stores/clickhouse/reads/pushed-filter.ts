// What ClickHouse leaves out of the rows of a scan: rows that surely do not hold what the plan needs. It may let too many rows
// through, because the plan tests them again, but none too few: a value that ClickHouse might see otherwise counts as fitting.

import { doubleBits, type ParamValue } from '#logs/stores/clickhouse/server/params.ts';
import { gramPattern, gramTest, MAX_PATTERN_CHARACTERS } from '#logs/stores/clickhouse/storage/gram-filters.ts';
import { fieldColumns } from '#logs/stores/clickhouse/storage/layout.ts';
import type { Condition } from '#logs/stores/clickhouse/storage/visibility.ts';
import type { Columns, ColumnType } from '#logs/stores/shared/columns.ts';
import { VALUE_TYPES } from '#logs/stores/shared/known-table.ts';
import { foldedText, hasOddCase } from '#query/functions/clues.ts';
import type { Term } from '#query/functions/text-tests.ts';
import type { TableSource } from '#query/plan-nodes/shared/scans.ts';
import type { RowNeed, ValueNeed } from '#query/rules/row-needs.ts';

/** Of a statement, which has room for the rest of it beside, and of a request's address, where constants are. */
const MAX_CHARACTERS = 65_536;
const MAX_CONSTANT_CHARACTERS = 4096;

/** Letters beyond ASCII whose folded form has a letter of ASCII, and that letter. */
export const FOLDED_TO_ASCII = [
  ['\u0130', 'i'],
  ['\u017f', 's'],
  ['\u212a', 'k'],
] as const;

export interface FilteredTable {
  readonly source: TableSource;
  readonly columns: Columns;
}

/** Undefined where every row may be needed. */
export function pushedFilter(need: RowNeed | undefined, table: FilteredTable): Condition | undefined {
  return need && new FilterCompiler(table).filter(need);
}

type ValueClue = ValueNeed['clue'];

interface StoredField {
  readonly name: string;
  readonly type: ColumnType;
}

class FilterCompiler {
  readonly #source: TableSource;
  readonly #fields: ReadonlyMap<string, StoredField>;
  readonly #params: Record<string, ParamValue> = {};
  /** Of parameters, by their values. */
  readonly #names = new Map<string | number, string>();
  #constants = 0;
  #patterns = 0;
  #characters = 0;

  constructor({ source, columns }: FilteredTable) {
    this.#source = source;
    this.#fields = new Map(fieldColumns(columns).map(({ field, name, type }) => [field, { name, type }]));
  }

  filter(need: RowNeed): Condition | undefined {
    const text = this.#need(need);
    return text === undefined ? undefined : { text, params: this.#params };
  }

  /** Undefined where it leaves out nothing. */
  #need(need: RowNeed): string | undefined {
    if (this.#characters > MAX_CHARACTERS) return undefined;
    switch (need.kind) {
      case 'and':
        return joined(
          need.operands.map((operand) => this.#need(operand)).filter((one) => one !== undefined),
          'and',
        );
      case 'or':
        return need.operands.length === 0 ? 'false' : either(need.operands.map((operand) => this.#need(operand)));
      case 'term':
        return this.#term(need);
      default:
        return this.#value(need.clue);
    }
  }

  #value(clue: ValueClue): string | undefined {
    const { name, isColumn } = clue.of;
    if (!isColumn) return this.#inRest(clue);
    const declared = this.#source.columns.find((column) => column.name === name)?.type;
    const field = this.#fields.get(name);
    if (declared === undefined) return undefined;
    if (!field) return this.#inRest(clue);
    if (declared === 'any') return either([this.#inColumn(clue, field), this.#inRest(clue)]);
    return declared === VALUE_TYPES[field.type] ? this.#inColumn(clue, field) : undefined;
  }

  #inColumn(clue: ValueClue, { name, type }: StoredField): string | undefined {
    switch (clue.kind) {
      case 'equal':
        return this.#equal(name, type, clue.constant);
      case 'text':
        return type === 'VARCHAR' ? this.#holds(name, clue) : present(name);
      case 'order':
        return isNumeric(type)
          ? this.#compared(name, clue.is.startsWith('<') ? '<=' : '>=', clue.bound)
          : present(name);
      default:
        return present(name);
    }
  }

  #equal(name: string, type: ColumnType, constant: string | bigint | number | boolean): string | undefined {
    if (typeof constant === 'boolean') return type === 'BOOLEAN' ? `${name} = ${constant}` : present(name);
    if (typeof constant !== 'string') return isNumeric(type) ? this.#compared(name, '=', constant) : present(name);
    if (type !== 'VARCHAR') return present(name);
    return this.#with(constant, 'String', (text) => this.#withFilter(`${name} = ${text}`, name, constant));
  }

  /** As fractions, which whole numbers that are equal or in order are, too; a bound belongs to both sides. */
  #compared(name: string, operator: '=' | '<=' | '>=', constant: bigint | number): string | undefined {
    const number = Number(constant);
    if (!Number.isFinite(number)) return present(name);
    const test = (bits: string) => `toFloat64(${name}) ${operator} reinterpretAsFloat64(${bits})`;
    return this.#with(doubleBits(number), 'UInt64', test);
  }

  /** Values in `_rest` are JSON text: a text has quotes, and characters that may be escaped have a backslash. */
  #inRest(clue: ValueClue): string | undefined {
    const isText = clue.kind === 'text' || (clue.kind === 'equal' && typeof clue.constant === 'string');
    const test = isText && `position(v, '\\\\') > 0 or not startsWith(v, '"')`;
    const sought =
      clue.kind === 'text'
        ? this.#holds('v', clue)
        : this.#with(
            String('constant' in clue ? clue.constant : ''),
            'String',
            (text) => `v = concat('"', ${text}, '"')`,
          );
    const name = this.#constant(clue.of.name, 'String');
    if (name === undefined) return undefined;
    if (!test || sought === undefined) return this.#written(`mapContains(_rest, ${name})`);
    return this.#written(
      `arrayExists((k, v) -> k = ${name} and (${test} or ${sought}), mapKeys(_rest), mapValues(_rest))`,
    );
  }

  /** Every word is in some field. */
  #term({ words }: Term): string | undefined {
    return joined(
      words.map((word) => (hasOddCase(word) ? undefined : this.#word(word))).filter((one) => one !== undefined),
      'and',
    );
  }

  #word(word: string): string | undefined {
    if (this.#characters > MAX_CHARACTERS) return undefined;
    const folded = { text: word, ignoresCase: true };
    const mayBeNumber = NUMBER_WORDS.some((pattern) => pattern.test(word));
    const digits = mayBeNumber ? ` or match(v, '[0-9]')` : '';
    const inRest = this.#holds('v', folded);
    if (inRest === undefined) return undefined;
    const tests = [...this.#fields]
      .filter(([field]) => !field.startsWith('_'))
      .map(([, { name, type }]) => {
        if (type === 'VARCHAR') return this.#holds(name, folded);
        if (type === 'BOOLEAN') return ['true', 'false'].some((text) => text.includes(word)) ? present(name) : 'false';
        return mayBeNumber ? present(name) : 'false';
      });
    const rest = this.#written(`arrayExists(v -> position(v, '\\\\') > 0 or ${inRest}${digits}, mapValues(_rest))`);
    return either([...tests, rest]);
  }

  #holds(name: string, { text, ignoresCase }: { readonly text: string; readonly ignoresCase: boolean }) {
    if (!ignoresCase)
      return this.#with(text, 'String', (sought) => this.#withFilter(`position(${name}, ${sought}) > 0`, name, text));
    if (hasOddCase(text)) return present(name);
    // Each is one more search of all texts, so only those are looked for that can stand for a letter of this one.
    const odd = FOLDED_TO_ASCII.filter(([, folded]) => foldedText(text).includes(folded)).map(
      ([letter]) => ` or position(${name}, '${letter}') > 0`,
    );
    return this.#with(text, 'String', (sought) => `(positionCaseInsensitive(${name}, ${sought}) > 0${odd.join('')})`);
  }

  /** A test that a column holds a text, with that of its filter beside it; values of `_rest` have none. */
  #withFilter(test: string, name: string, text: string): string {
    const pattern = name === 'v' ? undefined : gramPattern(text);
    // It only helps: constants have their room without it.
    const isRoom = pattern !== undefined && this.#patterns + pattern.length <= MAX_PATTERN_CHARACTERS;
    if (!isRoom) return test;
    this.#patterns += pattern.length;
    const constant = this.#named(pattern, 'String');
    return constant === undefined ? test : `(${test} and ${gramTest(name, constant)})`;
  }

  /** Undefined where there is no room for the constant or for the text. */
  #with(value: string | number, type: string, write: (constant: string) => string): string | undefined {
    const constant = this.#constant(value, type);
    return constant === undefined ? undefined : this.#written(write(constant));
  }

  #constant(value: string | number, type: string): string | undefined {
    if (!this.#names.has(value)) this.#constants += String(value).length;
    return this.#constants > MAX_CONSTANT_CHARACTERS ? undefined : this.#named(value, type);
  }

  #named(value: string | number, type: string): string | undefined {
    if (typeof value === 'string' && !value.isWellFormed()) return undefined;
    const known = this.#names.get(value);
    if (known !== undefined) return `{${known}:${type}}`;
    const name = `p${this.#names.size}`;
    this.#names.set(value, name);
    this.#params[name] = value;
    return `{${name}:${type}}`;
  }

  #written(text: string): string | undefined {
    this.#characters += text.length;
    return this.#characters > MAX_CHARACTERS ? undefined : text;
  }
}

/** Words that may be, or be in, the text of a number. */
const NUMBER_WORDS = [/^[0-9e]+$/, /^[infty]+$/, /^[na]+$/];

const isNumeric = (type: ColumnType): boolean => type === 'BIGINT' || type === 'DOUBLE';

const present = (name: string): string => `${name} is not null`;

const joined = (conditions: readonly (string | undefined)[], operator: 'and' | 'or'): string | undefined =>
  conditions.length === 0 ? undefined : `(${conditions.join(` ${operator} `)})`;

/** Undefined where one of them leaves out nothing. */
const either = (conditions: readonly (string | undefined)[]): string | undefined =>
  conditions.some((one) => one === undefined) ? undefined : joined(conditions, 'or');
