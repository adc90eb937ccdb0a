// Records of a file of separated values: mostly a line each; a quoted value may contain line ends.

import { parseCsvLine } from '#kernel/text/csv-line.ts';
import type { Value } from '#query/model/values.ts';
import { MAX_LINE } from './file-failures.ts';

interface CsvForm {
  readonly separator: ',' | '\t';
  readonly maxColumns?: number;
}

type Record = ReadonlyMap<string, Value>;

export class CsvRecords {
  readonly #form: CsvForm;
  #names: readonly string[] | undefined;
  /** Lines of a record whose last value is quoted and not closed yet. */
  #open: string[] = [];
  #openLength = 0;
  #isInQuotes = false;

  constructor(form: CsvForm) {
    this.#form = form;
  }

  *line(line: string): Generator<Record> {
    if (this.#open.length === 0 && withoutReturn(line) === '') return;
    const isWhole = !this.#staysOpen(line);
    if (isWhole && this.#open.length === 0) {
      yield* this.#record(line);
      return;
    }
    this.#open.push(line);
    this.#openLength += line.length + 1;
    if (isWhole) yield* this.#record(this.#taken().join('\n'));
    else if (this.#openLength > MAX_LINE) yield* this.#giveUp();
  }

  *end(): Generator<Record> {
    while (this.#open.length > 0) yield* this.#giveUp();
  }

  /** A quote that is closed nowhere near belongs to its line alone. */
  *#giveUp(): Generator<Record> {
    const [first = '', ...rest] = this.#taken();
    yield* this.#record(first);
    for (const line of rest) yield* this.line(line);
  }

  #taken(): readonly string[] {
    const lines = this.#open;
    this.#open = [];
    this.#openLength = 0;
    this.#isInQuotes = false;
    return lines;
  }

  /** Whether a quoted value goes on behind the line. */
  #staysOpen(line: string): boolean {
    if (!this.#isInQuotes && !line.includes('"')) return false;
    const { separator } = this.#form;
    for (let at = 0; at < line.length || this.#isInQuotes; ) {
      if (this.#isInQuotes) {
        const quote = line.indexOf('"', at);
        if (quote === -1) return true;
        const isPair = line.charAt(quote + 1) === '"';
        at = quote + (isPair ? 2 : 1);
        if (isPair) continue;
        this.#isInQuotes = false;
      } else if (line.charAt(at) === '"') {
        this.#isInQuotes = true;
        at += 1;
        continue;
      }
      const next = line.indexOf(separator, at);
      if (next === -1) return false;
      at = next + 1;
    }
    return false;
  }

  *#record(text: string): Generator<Record> {
    const { separator, maxColumns = Number.POSITIVE_INFINITY } = this.#form;
    const found = parseCsvLine(withoutReturn(text), { separator, quote: '"' }, maxColumns);
    const values = found.values.slice(0, maxColumns);
    if (this.#names) yield named(values, this.#names);
    else this.#names = values.map((name) => name.normalize());
  }
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Of equal names the first counts. */
function named(values: readonly string[], names: readonly string[]): Record {
  const record = new Map<string, Value>();
  const count = Math.max(values.length, names.length);
  for (let index = 0; index < count; index += 1) {
    const name = names[index] || `column${index}`;
    if (!record.has(name)) record.set(name, values[index] ?? null);
  }
  return record;
}
