// The leaves that records have in columns when they come: those that the catalog names, so that a journal never has a column that a
// start does not know. Shapes are learnt of the first records of a generation, and the catalog is written before they are used.

import type { FileLeaves, FoundShape } from '#logs/leaf-shapes.ts';
import type { ColumnRegistry } from '#logs/stores/shared/columns.ts';
import { type Leaves, NO_LEAVES } from '#logs/stores/shared/leaves.ts';

/** Files of a generation that are looked at after the last one that had a new shape. */
const MAX_FRUITLESS = 8;

export class ArrivingLeaves {
  readonly #registry: Pick<ColumnRegistry, 'leaves' | 'learnShapes'>;
  #stored: Leaves = NO_LEAVES;
  #fruitless = 0;
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
    const { shapes, columns } = this.#stored;
    const own = columns.map(({ path, type, number }) => ({ path, type, number }));
    return { shapes, columns: own, isLearning: this.#isLearning };
  }

  get #isLearning(): boolean {
    return this.#fruitless < MAX_FRUITLESS;
  }

  /** Whether some were learnt that the catalog is to name. */
  get areNew(): boolean {
    return !this.#isRefused && this.#registry.leaves !== this.#stored;
  }

  /** Of a file that came while shapes were sought. */
  learn(found: readonly FoundShape[]): void {
    if (!this.#isLearning) return;
    const before = this.#registry.leaves;
    this.#registry.learnShapes(found);
    const isFruitless = this.#registry.leaves === before;
    this.#change(this.#stored, isFruitless ? this.#fruitless + 1 : 0);
  }

  /** The catalog has them. */
  stored(leaves: Leaves): void {
    this.#change(leaves, this.#fruitless);
  }

  /** The catalog could not be written: that is not tried again with each batch. */
  refused(): void {
    this.#isRefused = true;
  }

  /** Of a new generation: shapes are sought again. */
  resume(): void {
    this.#isRefused = false;
    this.#change(this.#stored, 0);
  }

  #change(stored: Leaves, fruitless: number): void {
    const wasLearning = this.#isLearning;
    const isOther = stored !== this.#stored;
    this.#stored = stored;
    this.#fruitless = fruitless;
    if (isOther || wasLearning !== this.#isLearning) this.#text = undefined;
  }
}
