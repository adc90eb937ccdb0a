// A map over another one, as parsed fields lie over those of their record. Most records end at the next condition, which
// reads a field or two, so the members are put together only when something asks for all of them.

import type { MapValue, Value } from '#query/model/values.ts';

/** Equal to a map of the members of `below`, replaced and followed by those of `above`. Not for other threads. */
export class LaidOverMap extends Map<string, Value> {
  readonly #below: MapValue;
  readonly #above: MapValue;
  #isWhole = false;

  constructor(below: MapValue, above: MapValue) {
    super();
    this.#below = below;
    this.#above = above;
  }

  override get(name: string): Value | undefined {
    const value = this.#above.get(name);
    return value === undefined ? this.#below.get(name) : value;
  }

  override has(name: string): boolean {
    return this.#above.has(name) || this.#below.has(name);
  }

  override get size(): number {
    this.#complete();
    return super.size;
  }

  override set(): this {
    throw new Error('a map over another one does not change');
  }

  override delete(): boolean {
    throw new Error('a map over another one does not change');
  }

  override clear(): void {
    throw new Error('a map over another one does not change');
  }

  override entries() {
    this.#complete();
    return super.entries();
  }

  override keys() {
    this.#complete();
    return super.keys();
  }

  override values() {
    this.#complete();
    return super.values();
  }

  /** Does not put the members together. */
  override forEach(visit: (value: Value, key: string, map: Map<string, Value>) => void): void {
    const below = this.#below;
    const above = this.#above;
    below.forEach((value, name) => {
      const over = above.get(name);
      visit(over === undefined ? value : over, name, this);
    });
    above.forEach((value, name) => {
      if (!below.has(name)) visit(value, name, this);
    });
  }

  override [Symbol.iterator]() {
    return this.entries();
  }

  #complete(): void {
    if (this.#isWhole) return;
    this.#isWhole = true;
    for (const [name, value] of this.#below) super.set(name, value);
    for (const [name, value] of this.#above) super.set(name, value);
  }
}
