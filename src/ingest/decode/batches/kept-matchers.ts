// Matchers of leaves that a thread keeps: tables learn shapes now and then, and order after order has the same ones.

import { LeafMatcher } from '#logs/parquet/leaf-matcher.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';

/** Each may be of shapes of 128 KiB. */
const MAX_KEPT = 16;

export class KeptMatchers {
  readonly #byText = new BoundedMap<string, LeafMatcher>({ max: MAX_KEPT, evicts: 'least-used' });

  /** `leaves` are `FileLeaves` as JSON. */
  for(leaves: string): LeafMatcher {
    return this.#byText.getOrSet(leaves, () => new LeafMatcher(JSON.parse(leaves)));
  }
}
