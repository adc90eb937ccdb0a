// Parameters while a query is planned (5): those set so far in the order of the text, and their values.

import type { ParameterRead } from '#query/model/expression.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import { type ColumnType, typeOf, type Value } from '#query/model/values.ts';

interface Known {
  readonly type: ColumnType;
  /** Undefined while it is not computed. */
  readonly value?: Value | undefined;
}

/** Names of the service that always exist; null where the caller gives none. */
const SERVICE = ['_timezone', '_from', '_to', '_live'];

const isService = (name: string) => SERVICE.includes(name);

export class Constants {
  readonly #known: Map<string, Known>;
  readonly #values = new Map<string, Value>();
  /** After a setq whose columns are not all known any other name may exist: it has a value once the setq has run, null. */
  #others: 'none' | 'pending' | 'null';
  #isComplete = true;

  constructor(known: ReadonlyMap<string, Known> = new Map(), others: 'none' | 'pending' | 'null' = 'none') {
    this.#known = new Map(known);
    for (const [name, { value }] of known) if (value !== undefined) this.#values.set(name, value);
    this.#others = others;
  }

  /** Those of the caller, and the zone of the query. */
  static of(given: ReadonlyMap<string, Value>, zone: string): Constants {
    // One by one: there may be tens of thousands, and lists of them in between double the time.
    const known = new Map<string, Known>();
    for (const [name, value] of given) known.set(name, { type: typeOf(value), value });
    known.set('_timezone', { type: typeOf(zone), value: zone });
    return new Constants(known);
  }

  /** The constants that a subquery inherits. */
  copy(): Constants {
    const copied = new Constants(this.#known, this.#others);
    copied.#isComplete = this.#isComplete;
    return copied;
  }

  /** Whether every value asked for was there. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Those that are computed; grows with them. */
  get values(): ReadonlyMap<string, Value> {
    return this.#values;
  }

  /** Whether it is set by now, be it to null. */
  isSet(name: string): boolean {
    return this.#known.has(name) || this.#others !== 'none' || isService(name);
  }

  set(name: string, type: ColumnType, value?: Value): void {
    if (value === undefined) this.#isComplete = false;
    if (value === undefined) this.#values.delete(name);
    else this.#values.set(name, value);
    this.#known.set(name, { type: value === undefined ? type : typeOf(value), value });
  }

  openUp(hasRun: boolean): void {
    if (!hasRun) this.#isComplete = false;
    this.#others = hasRun && this.#others !== 'pending' ? 'null' : 'pending';
  }

  typeOf({ name }: ParameterRead): ColumnType {
    return this.#known.get(name)?.type ?? (this.#others === 'pending' ? 'any' : 'null');
  }

  /** Undefined while it is not computed; null for one that is not set, or set to null. */
  valueOf({ name }: ParameterRead): Value | undefined {
    const known = this.#known.get(name);
    if (known) return known.value;
    return this.#others === 'pending' && !isService(name) ? undefined : null;
  }

  similarTo(name: string): string[] {
    return suggestionsFor(name, this.#known.keys());
  }
}
