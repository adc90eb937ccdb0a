// The leaves that records have in columns when they come: those that the catalog names, so that a journal never has a column that a
// start does not know. Shapes are learnt of the first records of a generation, and the catalog is written before they are used.

import type { FileLeaves, SoughtShapes } from '#logs/leaf-shapes.ts';
import type { ColumnRegistry } from '#logs/stores/shared/columns.ts';
import { type Leaves, NO_LEAVES } from '#logs/stores/shared/leaves.ts';

/** Files of a generation in which a field is looked at after the last one that had a new shape of it. */
const MAX_FRUITLESS = 8;
/** Where more fields have been looked at in vain, none is. */
const MAX_SETTLED = 64;

export class ArrivingLeaves {
  readonly #registry: Pick<ColumnRegistry, 'leaves' | 'learnShapes'>;
  #stored: Leaves = NO_LEAVES;
  /** By field. */
  readonly #fruitless = new Map<string, number>();
  readonly #settled = new Set<string>();
  #isRefused = false;
  #text: string | undefined;

  constructor(registry: Pick<ColumnRegistry, 'leaves' | 'learnShapes'>) {
    this.#registry = registry;
  }

  /** `FileLeaves` as JSON. */
  get text(): string {
    this.#text ??= JSON.stringify(this.#known);
    return this.#text;
  }

  get #known(): FileLeaves {
    const { fields, columns } = this.#stored;
    return {
      fields: fields.map(({ field, number, shapes }) => ({ field, number, shapes })),
      columns: columns.map(({ path, type, number }) => ({ path, type, number })),
      isLearning: this.#settled.size < MAX_SETTLED,
      settled: [...this.#settled],
    };
  }

  /** Whether some were learnt that the catalog is to name. */
  get areNew(): boolean {
    return !this.#isRefused && this.#registry.leaves !== this.#stored;
  }

  /** Of a file that came while shapes were sought. */
  learn({ fields, shapes }: SoughtShapes): void {
    const ofFields = Map.groupBy(shapes, ({ field }) => field);
    for (const field of fields) {
      const before = this.#registry.leaves;
      this.#registry.learnShapes(ofFields.get(field) ?? []);
      if (this.#registry.leaves !== before) this.#fruitless.delete(field);
      // Files that were made before the shapes of others were stored may have the same ones.
      else if (!this.areNew) this.#countFruitless(field);
    }
  }

  #countFruitless(field: string): void {
    const fruitless = (this.#fruitless.get(field) ?? 0) + 1;
    this.#fruitless.set(field, fruitless);
    if (fruitless !== MAX_FRUITLESS) return;
    this.#settled.add(field);
    this.#text = undefined;
  }

  /** The catalog has them. */
  stored(leaves: Leaves): void {
    if (leaves === this.#stored) return;
    this.#stored = leaves;
    this.#text = undefined;
  }

  /** The catalog could not be written: that is not tried again with each batch. */
  refused(): void {
    this.#isRefused = true;
  }

  /** Of a new generation: shapes are sought again. */
  resume(): void {
    this.#isRefused = false;
    this.#fruitless.clear();
    if (this.#settled.size === 0) return;
    this.#settled.clear();
    this.#text = undefined;
  }
}
