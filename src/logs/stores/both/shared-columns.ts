// The learnt columns of tables, one registry for both places of a table: a column has the same type and the same number in both parts,
// whichever of them has learnt it.

import { pathKey } from '#logs/leaf-shapes.ts';
import { withCatalog as withClickhouse } from '#logs/stores/clickhouse/storage/catalog-schema.ts';
import { withCatalog as withEmbedded } from '#logs/stores/embedded/storage/catalog-schema.ts';
import { ColumnRegistry, type LearntColumns } from '#logs/stores/shared/columns.ts';
import { type LeafColumn, type LeafField, type Leaves, NO_LEAVES } from '#logs/stores/shared/leaves.ts';
import type { Store } from '#store/store.ts';

export class SharedColumns {
  readonly #store: Store;
  readonly #known = new Map<number, Promise<ColumnRegistry>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** For a table that is being opened, with what its place has learnt. */
  readonly of = (tableId: number, learnt: LearntColumns): Promise<ColumnRegistry> => {
    const known = this.#known.get(tableId);
    if (!known) return this.renewed(tableId, learnt);
    return known.then((registry) => (isPartOf(learnt, registry.learnt) ? registry : this.renewed(tableId, learnt)));
  };

  /** Of the catalog: another node has written it, and what this one has learnt beside it is learnt again. */
  readonly renewed = (tableId: number, learnt: LearntColumns): Promise<ColumnRegistry> => {
    const loading = this.#load(tableId, learnt);
    this.#known.set(tableId, loading);
    loading.catch(() => this.#known.delete(tableId));
    return loading;
  };

  /** The table is gone. */
  forget(tableId: number): void {
    this.#known.delete(tableId);
  }

  async #load(tableId: number, learnt: LearntColumns): Promise<ColumnRegistry> {
    const texts = await this.#store.read(async (db) => {
      const outside = withClickhouse(db).selectFrom('clickhouse_tables').where('table_id', '=', tableId);
      const other = await outside.select('columns').executeTakeFirst();
      // Columns of a table that is nowhere else may be encrypted.
      if (!other) return [];
      const own = await withEmbedded(db)
        .selectFrom('log_tables')
        .select('columns')
        .where('id', '=', tableId)
        .executeTakeFirst();
      return [other.columns, own?.columns ?? ''];
    });
    const others = texts.filter((text) => text !== '').map((text): LearntColumns => JSON.parse(text));
    return new ColumnRegistry(others.reduce(joinedColumns, learnt));
  }
}

/** Whether the columns are the first of the others, and all that was learnt of them is known there. */
function isPartOf(learnt: LearntColumns, known: LearntColumns): boolean {
  const isFirst =
    learnt.columns.every(({ name }, at) => known.columns[at]?.name === name) &&
    (learnt.further ?? []).every(({ name }, at) => known.further?.[at]?.name === name) &&
    areLeavesPartOf(learnt.leaves, known.leaves);
  return isFirst && JSON.stringify(joinedColumns(known, learnt)) === JSON.stringify(joinedColumns(known, known));
}

const areLeavesPartOf = (learnt = NO_LEAVES, known = NO_LEAVES): boolean =>
  learnt.columns.every((leaf, at) => isSameLeaf(leaf, known.columns[at])) &&
  learnt.fields.every((field, at) => areShapesPartOf(field, known.fields[at]));

const isSameLeaf = (one: LeafColumn, other: LeafColumn | undefined): boolean =>
  one.type === other?.type && one.number === other.number && pathKey(one.path) === pathKey(other.path);

const areShapesPartOf = ({ field, number, shapes }: LeafField, known: LeafField | undefined): boolean =>
  field === known?.field &&
  number === known.number &&
  shapes.every((pieces, at) => JSON.stringify(pieces) === JSON.stringify(known.shapes[at]));

/** One of them has the columns of the other as its first: both were written from one registry. */
export function joinedColumns(one: LearntColumns, other: LearntColumns): LearntColumns {
  const [longer, shorter] = one.columns.length >= other.columns.length ? [one, other] : [other, one];
  const columns = longer.columns.map((column, at) => {
    const same = shorter.columns[at];
    const type = same?.type === 'DOUBLE' ? same.type : column.type;
    const isFraction = column.isFraction && (same === undefined || same.isFraction);
    return {
      name: column.name,
      type,
      ...(column.isMixed || same?.isMixed ? { isMixed: true as const } : {}),
      ...(isFraction ? { isFraction } : {}),
    };
  });
  const either = (some: readonly string[] = [], more: readonly string[] = []) => [...new Set([...some, ...more])];
  const [further = [], fewer = []] = [one.further, other.further].sort((a, b) => (b?.length ?? 0) - (a?.length ?? 0));
  const [leaves] = [one.leaves, other.leaves].sort((a, b) => sizeOf(b) - sizeOf(a));
  const joined = {
    columns,
    ...(further.length > 0 || fewer.length > 0 ? { further } : {}),
    ...(leaves ? { leaves } : {}),
    others: either(one.others, other.others),
    isCountless: one.isCountless || other.isCountless,
    hasNulls: one.hasNulls || other.hasNulls,
  };
  const areNullsKnown = [one, other].every(({ nulls, hasNulls }) => nulls !== undefined || !hasNulls);
  return areNullsKnown ? { ...joined, nulls: either(one.nulls, other.nulls) } : joined;
}

const sizeOf = ({ columns, fields }: Leaves = NO_LEAVES): number =>
  fields.reduce((sum, { shapes }) => sum + shapes.length, columns.length);
