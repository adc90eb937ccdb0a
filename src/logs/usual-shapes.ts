// The usual shapes among the values of a sample of records.

import { type FoundShape, pathKey, shapeOf } from './leaf-shapes.ts';

interface UsualShape extends Pick<FoundShape, 'field' | 'pieces'> {
  readonly leaves: Map<string, FoundShape['leaves'][number]>;
  records: number;
}

/** Longer values are left as they are. */
export const MAX_SHAPE_TEXT = 16_384;

export class UsualShapes {
  readonly #shapes = new Map<string, UsualShape>();

  /** Adds the value of a field as so many records have it. */
  add(field: string, text: string, records = 1): void {
    const shape = text.length > MAX_SHAPE_TEXT ? undefined : shapeOf(field, text);
    if (!shape) return;
    const { pieces } = shape;
    const key = JSON.stringify([field, pieces]);
    const known = this.#shapes.get(key) ?? { field, pieces, leaves: new Map(), records: 0 };
    this.#shapes.set(key, known);
    known.records += records;
    for (const leaf of shape.leaves) known.leaves.set(`${leaf.type}${pathKey(leaf.path)}`, leaf);
  }

  /** Of the shape that most have. */
  get mostRecords(): number {
    return Math.max(0, ...this.#shapes.values().map(({ records }) => records));
  }

  /** Those that so many records have, the most usual ones first. */
  withRecords(least: number): FoundShape[] {
    return [...this.#shapes.values()]
      .filter(({ records }) => records >= least)
      .sort((one, other) => other.records - one.records)
      .map(({ field, pieces, leaves }) => ({ field, pieces, leaves: [...leaves.values()] }));
  }
}
