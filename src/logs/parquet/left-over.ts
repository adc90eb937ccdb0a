// What is left over of the records of a batch beside their columns: the values that have one of the shapes of their field, and
// where what differs in these is.

import type { SoughtShapes } from '#logs/leaf-shapes.ts';
import type { LineBatch } from '#logs/log-store.ts';
import { UsualShapes } from '#logs/usual-shapes.ts';
import type { FieldTree, LeafMatcher } from './leaf-matcher.ts';

/** Values of a field that are looked at where its shapes are sought; one is usual where so many of them have it. */
const SAMPLED = 128;
const MIN_RECORDS = 8;
/** Fields that are looked at in one batch: those with most values. */
const MAX_SOUGHT = 16;

export type LocatedBatch = Omit<LineBatch, 'records' | 'begins' | 'ends' | 'file'>;

export class LeftOver {
  readonly matcher: LeafMatcher;
  /** By the indexes of members the numbers of their shapes, 0 for none, and how many values they have in columns. */
  readonly shapes: Uint8Array;
  readonly counts: Uint8Array;
  /** By the indexes of fields of the matcher how many members have a shape. */
  readonly shaped: Uint32Array;
  /** By the indexes of columns how many values they have, and of how many bytes. */
  readonly values: Uint32Array;
  readonly valueBytes: Uint32Array;
  readonly #batch: LocatedBatch;
  /** By the index of a field of the batch: what is left over, its shapes, and how many of its members have none. */
  readonly #isLeftOver: Uint8Array;
  readonly #trees: (FieldTree | undefined)[];
  readonly #others: Uint32Array;

  constructor(batch: LocatedBatch, matcher: LeafMatcher, isLeftOver: Uint8Array) {
    const members = batch.firstMembers[batch.count] ?? 0;
    this.#batch = batch;
    this.matcher = matcher;
    this.#isLeftOver = isLeftOver;
    this.#trees = batch.fields.map(({ name, type }, index) =>
      isLeftOver[index] === 1 && type !== 'null' ? matcher.treeOf(name) : undefined,
    );
    this.shapes = new Uint8Array(members);
    this.counts = new Uint8Array(members);
    this.shaped = new Uint32Array(matcher.fields.length);
    this.values = new Uint32Array(matcher.columns.length);
    this.valueBytes = new Uint32Array(matcher.columns.length);
    this.#others = new Uint32Array(batch.fields.length);
    matcher.begin(batch.bytes);
    if (isLeftOver.includes(1)) this.#match();
    this.#sum();
  }

  /** Numbers of the columns of all values and of their shapes. */
  get columns(): number[] {
    const { columns, fields } = this.matcher;
    return [
      ...columns.filter((_, index) => this.values[index] !== 0),
      ...fields.filter((_, index) => this.shaped[index] !== 0),
    ].map(({ number }) => number);
  }

  #match(): void {
    const { firstMembers, memberFields, memberValues, memberEnds, count } = this.#batch;
    const end = firstMembers[count] ?? 0;
    for (let member = firstMembers[0] ?? 0; member < end; member += 1) {
      const field = memberFields[member] ?? 0;
      if (this.#isLeftOver[field] !== 1) continue;
      const tree = this.#trees[field];
      const before = this.matcher.end;
      const shape = tree ? this.matcher.match(tree, memberValues[member] ?? 0, memberEnds[member] ?? 0) : 0;
      if (tree && shape !== 0) {
        this.shapes[member] = shape;
        this.counts[member] = (this.matcher.end - before) / 3;
        this.shaped[tree.index] = (this.shaped[tree.index] ?? 0) + 1;
      } else this.#others[field] = (this.#others[field] ?? 0) + 1;
    }
  }

  #sum(): void {
    const { values, end } = this.matcher;
    for (let at = 0; at < end; at += 3) {
      const index = values[at] ?? 0;
      this.values[index] = (this.values[index] ?? 0) + 1;
      this.valueBytes[index] = (this.valueBytes[index] ?? 0) + (values[at + 2] ?? 0) - (values[at + 1] ?? 0);
    }
  }

  /** Usual shapes of values that have none of the known ones; undefined where none are sought. */
  get sought(): SoughtShapes | undefined {
    const { fields } = this.#batch;
    const steps = this.#soughtFields();
    if (steps.size === 0) return undefined;
    const usual = new UsualShapes();
    const names = new Set(steps.keys().map((index) => fields[index]?.name ?? ''));
    this.#sample(steps, (index, text) => usual.add(fields[index]?.name ?? '', text));
    return { fields: [...names], shapes: usual.withRecords(MIN_RECORDS) };
  }

  /** By the indexes of fields whose shapes are sought: one of so many values is looked at. */
  #soughtFields(): Map<number, number> {
    const wanted = this.#batch.fields.flatMap(({ name, type }, index) => {
      const others = this.#others[index] ?? 0;
      const isSought = others >= MIN_RECORDS && type !== 'null' && this.matcher.isLearning(name);
      return isSought ? [{ index, others }] : [];
    });
    const most = wanted.sort((one, other) => other.others - one.others).slice(0, MAX_SOUGHT);
    return new Map(most.map(({ index, others }) => [index, Math.ceil(others / SAMPLED)]));
  }

  #sample(steps: ReadonlyMap<number, number>, add: (field: number, text: string) => void): void {
    const { bytes, firstMembers, memberFields, memberValues, memberEnds, count } = this.#batch;
    const seen = new Uint32Array(this.#others.length);
    const end = firstMembers[count] ?? 0;
    for (let member = firstMembers[0] ?? 0; member < end; member += 1) {
      const field = memberFields[member] ?? 0;
      const step = steps.get(field);
      if (step === undefined || this.shapes[member] !== 0) continue;
      const index = seen[field] ?? 0;
      seen[field] = index + 1;
      if (index % step === 0) add(field, bytes.toString('utf8', memberValues[member], memberEnds[member]));
    }
  }
}
