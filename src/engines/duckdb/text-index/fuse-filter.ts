// A binary fuse filter (Graf, Lemire 2022) over 32-bit keys: a set that may also claim keys that were not put in, one in
// 2^bits, and takes about 1.13 times `bits` for each of many keys. Three cells are read for a question. Loops are by index: a
// filter has some hundred thousand keys, and casts say that an index is within its array.

/** Everything but the cells, in the order in which it is stored. */
export interface FuseShape {
  readonly seed: number;
  readonly segmentLength: number;
  readonly segmentCount: number;
  readonly bits: number;
}

export interface FuseFilter extends FuseShape {
  /** Cells of `bits` bits one after the other, and a byte that is never used. */
  readonly cells: Uint8Array;
}

/** Seeds that are tried: each fails for one in a hundred sets or fewer. */
const MAX_SEEDS = 64;

/** Bytes that the cells of a filter of so many keys take. */
export function cellBytes(keys: number, bits: number): number {
  const { segmentLength, segmentCount } = layoutOf(keys);
  return bytesOf((segmentCount + 2) * segmentLength, bits);
}

const bytesOf = (cells: number, bits: number): number => Math.ceil((cells * bits) / 8) + 1;

/** The keys must differ. Undefined where no seed fits, which does not happen with keys that do. */
export function fuseFilter(keys: Int32Array, bits: number): FuseFilter | undefined {
  const layout = layoutOf(keys.length);
  for (let seed = 1; seed <= MAX_SEEDS; seed += 1) {
    const shape = { ...layout, seed, bits };
    const order = peeled(keys, shape);
    if (order) return { ...shape, cells: filled(order, shape) };
  }
  return undefined;
}

export function mayContain(filter: FuseFilter, key: number): boolean {
  const { cells, bits } = filter;
  const high = mixed(key ^ filter.seed);
  const low = lowOf(key, filter);
  let found = 0;
  for (let place = 0; place < 3; place += 1) found ^= cellAt(cells, cellOf(place, high, low, filter), bits);
  return found === printOf(low, bits);
}

interface Layout {
  readonly segmentLength: number;
  readonly segmentCount: number;
}

/** The sizes that the authors found by trial. */
function layoutOf(keys: number): Layout {
  const size = Math.max(keys, 2);
  const segmentLength = 2 ** Math.min(18, Math.floor(Math.log(size) / Math.log(3.33) + 2.25));
  const factor = Math.max(1.125, 0.875 + (0.25 * Math.log(1_000_000)) / Math.log(size));
  const segmentCount = Math.max(1, Math.ceil((size * factor) / segmentLength) - 2);
  return { segmentLength, segmentCount };
}

interface Peeled {
  readonly keys: Int32Array;
  /** Which of its three cells each key owns; cells are written from the last key to the first. */
  readonly places: Uint8Array;
}

/** An order in which each key has a cell of its own, if this seed has one. */
function peeled(keys: Int32Array, shape: FuseShape): Peeled | undefined {
  const size = (shape.segmentCount + 2) * shape.segmentLength;
  const counts = new Uint8Array(size);
  const sums = new Int32Array(size);
  const queue = new Int32Array(size);
  let ends = 0;
  // Adds a key to its three cells, or takes it away.
  const change = (key: number, by: 1 | -1): void => {
    const high = mixed(key ^ shape.seed);
    const low = lowOf(key, shape);
    for (let place = 0; place < 3; place += 1) {
      const cell = cellOf(place, high, low, shape);
      const count = (counts[cell] as number) + by;
      counts[cell] = count;
      sums[cell] = (sums[cell] as number) ^ key;
      if (by < 0 && count === 1) queue[ends++] = cell;
    }
  };
  for (let index = 0; index < keys.length; index += 1) change(keys[index] as number, 1);
  for (let cell = 0; cell < size; cell += 1) if (counts[cell] === 1) queue[ends++] = cell;
  const [order, places] = [new Int32Array(keys.length), new Uint8Array(keys.length)];
  let done = 0;
  while (ends > 0) {
    ends -= 1;
    const from = queue[ends] as number;
    if (counts[from] !== 1) continue;
    const key = sums[from] as number;
    const high = mixed(key ^ shape.seed);
    const low = lowOf(key, shape);
    order[done] = key;
    places[done] = from === firstCell(high, shape) ? 0 : from === secondCell(high, low, shape) ? 1 : 2;
    done += 1;
    change(key, -1);
  }
  return done === keys.length ? { keys: order, places } : undefined;
}

function filled({ keys, places }: Peeled, shape: FuseShape): Uint8Array {
  const { bits } = shape;
  const plain = new Uint8Array((shape.segmentCount + 2) * shape.segmentLength);
  for (let index = keys.length - 1; index >= 0; index -= 1) {
    const key = keys[index] as number;
    const high = mixed(key ^ shape.seed);
    const low = lowOf(key, shape);
    let print = printOf(low, bits);
    let own = 0;
    for (let place = 0; place < 3; place += 1) {
      const cell = cellOf(place, high, low, shape);
      if (place === places[index]) own = cell;
      else print ^= plain[cell] as number;
    }
    plain[own] = print;
  }
  return packed(plain, bits);
}

function packed(plain: Uint8Array, bits: number): Uint8Array {
  const cells = new Uint8Array(bytesOf(plain.length, bits));
  for (let index = 0; index < plain.length; index += 1) {
    const at = index * bits;
    const byte = at >>> 3;
    const shifted = (plain[index] as number) << (at & 7);
    cells[byte] = (cells[byte] as number) | shifted;
    cells[byte + 1] = (cells[byte + 1] as number) | (shifted >>> 8);
  }
  return cells;
}

function cellAt(cells: Uint8Array, index: number, bits: number): number {
  const at = index * bits;
  const byte = at >>> 3;
  return (((cells[byte] ?? 0) | ((cells[byte + 1] ?? 0) << 8)) >>> (at & 7)) & ((1 << bits) - 1);
}

function cellOf(place: number, high: number, low: number, shape: FuseShape): number {
  if (place === 0) return firstCell(high, shape);
  return place === 1 ? secondCell(high, low, shape) : thirdCell(high, low, shape);
}

const lowOf = (key: number, { seed }: FuseShape): number => mixed(key + Math.imul(seed, 0x9e3779b9));

/** High bits choose the segment evenly, low bits the place in each of three neighbouring ones. */
const firstCell = (high: number, { segmentCount, segmentLength }: FuseShape): number =>
  (((high >>> 0) / 2 ** 32) * segmentCount * segmentLength) | 0;

const secondCell = (high: number, low: number, shape: FuseShape): number =>
  (firstCell(high, shape) + shape.segmentLength) ^ ((low >>> 8) & (shape.segmentLength - 1));

const thirdCell = (high: number, low: number, shape: FuseShape): number =>
  (firstCell(high, shape) + 2 * shape.segmentLength) ^ (mixed(low) & (shape.segmentLength - 1));

const printOf = (low: number, bits: number): number => low & ((1 << bits) - 1);

/** The end of MurmurHash3: every bit of the key moves every bit of the result. */
export function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
