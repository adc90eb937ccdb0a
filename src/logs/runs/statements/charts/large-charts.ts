// Charts that had more groups than the local evaluator takes: the next run of the same text does not group its records twice.

import { chainTo, tableScanOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';

const MAX_TEXTS = 256;
const MAX_CHARACTERS = 1024;

export class LargeCharts {
  readonly #texts = new BoundedMap<string, true>({ max: MAX_TEXTS, evicts: 'oldest' });

  has(node: PlanNode): boolean {
    return this.#texts.has(textOf(node));
  }

  add(node: PlanNode): void {
    this.#texts.set(textOf(node), true);
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
