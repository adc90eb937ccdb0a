// Shapes that several records have in common: an engine looks at each once, and many records take less memory.

import type { Shape } from './log-store.ts';

/** As many shapes as are held against a record before it gets one of its own. */
const MAX_KNOWN = 8;

export class SharedShapes {
  /** The most recent first. */
  readonly #known: Shape[] = [];

  get recent(): Shape | undefined {
    return this.#known[0];
  }

  /** An equal shape that came recently, or this one. */
  of(shape: Shape): Shape {
    const at = this.#known.findIndex((known) => isAlike(known, shape));
    const [known = shape] = at === -1 ? [] : this.#known.splice(at, 1);
    this.#known.unshift(known);
    if (this.#known.length > MAX_KNOWN) this.#known.pop();
    return known;
  }
}

function isAlike(one: Shape, other: Shape): boolean {
  if (one.names.length !== other.names.length) return false;
  for (let at = 0; at < one.names.length; at += 1) {
    if (one.names[at] !== other.names[at] || one.types[at] !== other.types[at]) return false;
  }
  return true;
}
