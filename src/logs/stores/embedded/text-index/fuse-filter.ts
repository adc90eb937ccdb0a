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
    const placed = placedKeys(keys, shape);
    const order = peeled(placed);
    if (order) return { ...shape, cells: packed(filled(order, placed), bits) };
  }
  return undefined;
}

export function mayContain(filter: FuseFilter, key: number): boolean {
  const { cells, bits } = filter;
  const high = mixed(key ^ filter.seed);
  const low = lowOf(key, filter);
  let found = 0;
  for (let segment = 0; segment < 3; segment += 1) found ^= cellAt(cells, cellOf(segment, high, low, filter), bits);
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

/** Keys with their cells; they are looked at several times. */
interface PlacedKeys {
  /** Of the filter. */
  readonly size: number;
  readonly count: number;
  /** Three of each key. */
  readonly cells: Int32Array;
  readonly prints: Uint8Array;
}

function placedKeys(keys: Int32Array, shape: FuseShape): PlacedKeys {
  const count = keys.length;
  const cells = new Int32Array(3 * count);
  const prints = new Uint8Array(count);
  for (let index = 0; index < count; index += 1) {
    const key = keys[index] as number;
    const high = mixed(key ^ shape.seed);
    const low = lowOf(key, shape);
    cells[3 * index] = firstCell(high, shape);
    cells[3 * index + 1] = secondCell(high, low, shape);
    cells[3 * index + 2] = thirdCell(high, low, shape);
    prints[index] = printOf(low, shape.bits);
  }
  return { size: (shape.segmentCount + 2) * shape.segmentLength, count, cells, prints };
}

interface Peeled {
  /** Keys by their slots, each with a cell of its own: cells are written from the last key to the first. */
  readonly order: Int32Array;
  readonly owned: Int32Array;
}

/** An order in which each key has a cell of its own, if this seed has one. */
function peeled({ size, count, cells }: PlacedKeys): Peeled | undefined {
  const counts = new Uint8Array(size);
  // The exclusive or of the keys of a cell is the last of them when the others are taken away.
  const sums = new Int32Array(size);
  for (let at = 0, index = 0; index < count; index += 1) {
    for (const end = at + 3; at < end; at += 1) {
      const cell = cells[at] as number;
      counts[cell] = (counts[cell] as number) + 1;
      sums[cell] = (sums[cell] as number) ^ index;
    }
  }
  const queue = new Int32Array(size);
  let ends = 0;
  for (let cell = 0; cell < size; cell += 1) if (counts[cell] === 1) queue[ends++] = cell;
  const order = new Int32Array(count);
  const owned = new Int32Array(count);
  let done = 0;
  while (ends > 0) {
    ends -= 1;
    const own = queue[ends] as number;
    if (counts[own] !== 1) continue;
    const index = sums[own] as number;
    order[done] = index;
    owned[done] = own;
    done += 1;
    for (let at = 3 * index; at < 3 * index + 3; at += 1) {
      const cell = cells[at] as number;
      const left = (counts[cell] as number) - 1;
      counts[cell] = left;
      sums[cell] = (sums[cell] as number) ^ index;
      if (left === 1) queue[ends++] = cell;
    }
  }
  return done === count ? { order, owned } : undefined;
}

function filled({ order, owned }: Peeled, { size, cells, prints }: PlacedKeys): Uint8Array {
  const plain = new Uint8Array(size);
  for (let done = order.length - 1; done >= 0; done -= 1) {
    const index = order[done] as number;
    const own = owned[done] as number;
    const at = 3 * index;
    // The own cell is still 0.
    const others =
      (plain[cells[at] as number] as number) ^
      (plain[cells[at + 1] as number] as number) ^
      (plain[cells[at + 2] as number] as number);
    plain[own] = (prints[index] as number) ^ others;
  }
  return plain;
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

function cellOf(segment: number, high: number, low: number, shape: FuseShape): number {
  if (segment === 0) return firstCell(high, shape);
  return segment === 1 ? secondCell(high, low, shape) : thirdCell(high, low, shape);
}

const lowOf = (key: number, { seed }: FuseShape): number => mixed(key + Math.imul(seed, 0x9e3779b9));

/** High bits choose the segment evenly, low bits the slot in each of three neighbouring ones. */
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
