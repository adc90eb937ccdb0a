// The usual shapes among a sample of records.

import { type FoundShape, pathKey, shapeOf } from './leaf-shapes.ts';

interface UsualShape extends Pick<FoundShape, 'pieces'> {
  readonly leaves: Map<string, FoundShape['leaves'][number]>;
  records: number;
}

/** Longer objects are left as they are. */
export const MAX_SHAPE_TEXT = 16_384;

export class UsualShapes {
  readonly #shapes = new Map<string, UsualShape>();

  /** Adds what some records have beside their columns. */
  add(text: string, records = 1): void {
    const shape = text.length > MAX_SHAPE_TEXT ? undefined : shapeOf(text);
    if (!shape) return;
    const key = JSON.stringify(shape.pieces);
    const known = this.#shapes.get(key) ?? { pieces: shape.pieces, leaves: new Map(), records: 0 };
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
      .map(({ pieces, leaves }) => ({ pieces, leaves: [...leaves.values()] }));
  }
}
