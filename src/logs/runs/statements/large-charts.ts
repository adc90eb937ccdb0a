// Charts that had more groups than the host takes: the next run of the same text does not group its records twice.

import { chainTo, tableScanOf } from '#query/nodes/facts.ts';
import type { PlanNode } from '#query/nodes/plan.ts';

const MAX_TEXTS = 256;
const MAX_CHARACTERS = 1024;

export class LargeCharts {
  /** Oldest first. */
  readonly #texts = new Set<string>();

  has(node: PlanNode): boolean {
    return this.#texts.has(textOf(node));
  }

  add(node: PlanNode): void {
    this.#texts.add(textOf(node));
    for (const oldest of this.#texts) {
      if (this.#texts.size <= MAX_TEXTS) return;
      this.#texts.delete(oldest);
    }
  }
}

/** Without the range of the tables: it is another one at each time. */
const textOf = (node: PlanNode): string =>
  chainTo(node)
    .map(
      (one) =>
        tableScanOf(one)
          ?.tables.map(({ name }) => name)
          .join() ?? one.text,
    )
    .join(' | ')
    .slice(0, MAX_CHARACTERS);
