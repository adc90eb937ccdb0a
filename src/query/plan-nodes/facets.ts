// The most frequent values of each of several fields: the rows are read once, and each field is a grouping set of its own. No
// command makes this node: it ends the query of the operation that reads facets.

import type { Column } from '#query/model/columns.ts';
import { MIXED } from '#query/sql/expressions.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { type Assigned, columnsOf, type PlanNodeDeclaration, valuesOf } from './plan-node.ts';
import { withComputed } from './shared/groups.ts';
import { alias } from './shared/sql-text.ts';

export interface Facets extends Step {
  readonly kind: 'facets';
  readonly fields: readonly Assigned[];
  /** Values of each field. */
  readonly limit: bigint;
  /** Looks at so many rows at most, whichever are there first; absent: at all. */
  readonly sampleRows?: bigint;
  readonly columns: FacetColumns;
}

/**
 * A row for all rows of the input, with the index `ALL_ROWS`, then those of each field: its values, the most frequent first, and
 * behind them a row with the name of the field in place of a value.
 */
export interface FacetColumns {
  /** The index of the field among `fields`. */
  readonly position: Column;
  readonly field: Column;
  /** Rows in which the field is not null; of `ALL_ROWS` the number of all rows. */
  readonly count: Column;
  /** Different values of the field. */
  readonly distinct: Column;
  readonly value: Column;
  /** Rows that have the value. */
  readonly rows: Column;
}

/** Before those of fields. */
export const ALL_ROWS = -1;

/** Longer values are counted and not listed: a field of long texts would make an answer of any size. */
export const MAX_VALUE_CHARACTERS = 2000;

export const facets: PlanNodeDeclaration<Facets> = {
  kind: 'facets',
  takes: 'all-before-first',
  expressions: ({ fields }) => valuesOf(fields),
  makes: ({ fields, columns }) => [...columnsOf(fields), ...Object.values(columns)],
  reads: ({ fields }, reading) => reading.expressions(valuesOf(fields)),
  pushdown: 'lost',
  counts: 'counted',
  maxRows: ({ fields, limit }) => 1n + BigInt(fields.length) * (limit + 1n),
  groups: { inputWithoutGroups: 0n },
  sql,
};

/** A field as a grouping set. */
interface FacetSet {
  /** What grouping() gives for it. */
  readonly mask: bigint;
  readonly name: string;
  /** Its values as JSON. */
  readonly json: string;
  readonly isMixed: boolean;
}

function sql(node: Facets, compiler: PlanCompiler): string {
  const { fields, limit, columns } = node;
  const counted = compiler.name('counted');
  const valued = compiler.name('valued');
  const ranked = compiler.name('ranked');
  const sets = fields.map(({ column }, index) => setOf(column, fields.length - 1 - index, compiler, fields.length));
  const known = sets.map(
    ({ mask }, index) => `(${mask}, ${index}, ${compiler.bind(fields[index]?.column.name ?? '').text})`,
  );
  // Masks of fields are not negative.
  const all = `(values ${[...known, `(-1, ${ALL_ROWS}, null)`].join(', ')}) as known(mask, place, field)`;
  const { position, field, count, distinct, value, rows } = columns;
  const shown = [
    `place::bigint as ${alias(position.id)}`,
    `case when entry is null then field end as ${alias(field.id)}`,
    `coalesce(count, 0) as ${alias(count.id)}`,
    `coalesce(differing, 0) as ${alias(distinct.id)}`,
    `entry.value::json as ${alias(value.id)}`,
    `coalesce(-entry.rank, 0)::bigint as ${alias(rows.id)}`,
    ...compiler.behind(node, `case when place = ${ALL_ROWS} then count else 0 end::bigint`),
  ];
  return `with ${counted} as materialized (${groupsSql(node, sets, compiler)}),
    ${valued} as (${valuesSql(sets, counted, compiler)}),
    ${ranked} as (
      select mask, sum(n)::bigint as count, count(*) as differing, ${firstSql(limit)} as entries from ${valued} group by mask
      union all select -1, n, 0, null from ${counted} where mask = ${allOf(sets.length)})
    select ${shown.join(', ')} from (
      select place, field, count, differing, unnest(list_prepend(null, coalesce(entries, []))) as entry
      from ${all} left join ${ranked} using (mask))`;
}

/** Structs are compared by their fields in order: the most frequent values come first, equal ones by their texts. */
const firstSql = (limit: bigint): string =>
  `min({'rank': -n, 'value': value::varchar}, ${limit}) filter (where length(value::varchar) <= ${MAX_VALUE_CHARACTERS})`;

const allOf = (fields: number): bigint => (1n << BigInt(fields)) - 1n;

function setOf({ id }: Column, bit: number, compiler: PlanCompiler, fields: number): FacetSet {
  const value = compiler.column(id);
  return {
    mask: allOf(fields) - (1n << BigInt(bit)),
    name: alias(id),
    json: compiler.converted(value, 'any'),
    isMixed: MIXED.includes(value.type),
  };
}

/** One row for each value of each field, and one for all rows. */
function groupsSql({ input, fields, sampleRows }: Facets, sets: readonly FacetSet[], compiler: PlanCompiler): string {
  const names = sets.map(({ name }) => name);
  const rows = withComputed(input, fields, compiler);
  const from = sampleRows === undefined ? rows : `(select * from ${rows} limit ${sampleRows})`;
  if (names.length === 0) return `select 0::bigint as mask, count(*) as n from ${from}`;
  const list = `${names.join(', ')}, grouping(${names.join(', ')}) as mask, count(*) as n`;
  return `select ${list} from ${from} group by grouping sets (${names.map((name) => `(${name})`).join(', ')}, ())`;
}

/** The values as JSON. Of mixed types several texts may be the same value: the least of them is shown. */
function valuesSql(sets: readonly FacetSet[], counted: string, compiler: PlanCompiler): string {
  const of = (some: readonly FacetSet[]) => {
    const json = some.map((set) => `when ${set.mask} then ${set.json}`).join(' ');
    const masks = some.map(({ mask }) => mask).join(', ');
    return `select mask, n, case mask ${json} end as value from ${counted} where mask in (${masks})`;
  };
  const mixed = sets.filter(({ isMixed }) => isMixed);
  const plain = sets.filter(({ isMixed }) => !isMixed);
  const key = compiler.group({ text: 'value', type: 'any', isPlain: true });
  const parts = [
    ...(plain.length > 0 ? [`select mask, n, value from (${of(plain)}) where value is not null`] : []),
    ...(mixed.length > 0
      ? [
          `select mask, sum(n)::bigint as n, min(value::varchar)::json as value from (${of(mixed)})
            where value is not null group by mask, ${key}`,
        ]
      : []),
  ];
  return parts.join(' union all ') || 'select 0::bigint as mask, 0::bigint as n, null::json as value where false';
}
