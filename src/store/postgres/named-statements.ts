// Names under which a server keeps the statements of one connection, so that it parses and plans each of them once. Only where the
// connection is one to the server itself: a pooler may give each transaction another one, where the names are unknown.

import { BoundedMap } from '#runtime/bounded-map.ts';

/** Uses of a text after which it is named: most texts differ by the number of their values. */
const MIN_USES = 3;
/** Over the life of a connection: the server may keep a statement that it has refused. */
const MAX_NAMES = 100;
const MAX_COUNTED = 1000;
const MAX_CHARACTERS = 2000;
/** A plan is of the size that its tables had: a table that was empty may have thousands of rows a second later. */
const PLANS_KEPT_MS = 1000;

/** The name is unknown to the server, or its rows have other columns than before: SQLSTATE. */
const REFUSALS = new Set(['26000', '0A000']);
/** Of errors of rows: the statement itself was taken. */
const CONSTRAINTS = '23';

interface Named {
  readonly name: string;
  /** Until then it is used under its name once: a statement that is refused, for whatever reason, may not be kept. */
  isKept: boolean;
}

export class NamedStatements {
  readonly #names = new Map<string, Named>();
  readonly #uses = new BoundedMap<string, number>({ max: MAX_COUNTED, evicts: 'all' });
  #isOn = false;
  #given = 0;
  #plannedAt = 0;

  /** The connection is one to the server itself. */
  start(): void {
    this.#isOn = true;
  }

  /** Undefined for a text that is sent without a name. */
  nameFor(text: string): string | undefined {
    if (!this.#isOn) return undefined;
    const named = this.#names.get(text);
    if (named) return named.isKept ? named.name : undefined;
    return this.#isOften(text) ? this.#give(text) : undefined;
  }

  answered(text: string, name: string | undefined): void {
    const named = this.#names.get(text);
    if (named && named.name === name) named.isKept = true;
  }

  refused(text: string, name: string | undefined, error: unknown): void {
    if (name === undefined) return;
    const code = codeOf(error);
    if (code.startsWith(CONSTRAINTS)) this.answered(text, name);
    if (!this.#names.get(text)?.isKept) this.#names.delete(text);
    if (REFUSALS.has(code)) this.#isOn = false;
  }

  /** Statements for the beginning of a transaction, with a semicolon behind them, that keep plans from getting old. */
  renewal(now: number): string {
    if (this.#names.size === 0 || now - this.#plannedAt < PLANS_KEPT_MS) return '';
    this.#plannedAt = now;
    return 'discard plans; ';
  }

  #isOften(text: string): boolean {
    // The columns of `*` may change with a migration, and the server refuses a kept statement then.
    if (text.length > MAX_CHARACTERS || text.includes('*') || this.#given >= MAX_NAMES) return false;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    this.#uses.set(text, uses);
    return uses >= MIN_USES;
  }

  #give(text: string): string {
    this.#given += 1;
    const name = `s${this.#given}`;
    this.#names.set(text, { name, isKept: false });
    return name;
  }
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
