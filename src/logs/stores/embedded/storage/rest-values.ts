// Values that segments of earlier versions have in `_rest`, and that have a column of their type by now.

import type { FieldType } from '#logs/log-store.ts';
import type { Instance } from '#logs/runs/duckdb/instance.ts';
import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import type { ColumnRegistry, ColumnType, StoredColumns } from '#logs/stores/shared/columns.ts';
import { jsonOf, valueIn } from './json-values.ts';

/** A field that has values in `_rest`, with the columns of their types. */
export interface FieldInRest {
  readonly field: string;
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
}

/** By the types of JSON. */
const FIELD_TYPES: Readonly<Record<string, FieldType>> = {
  VARCHAR: 'string',
  BOOLEAN: 'bool',
  BIGINT: 'long',
  UBIGINT: 'long',
  DOUBLE: 'double',
};

/** Instead of the columns that have them while columns are made: no field has a column of these names. */
const FOUND = '_doc';
const VALUES = '_row';

/** The fields of a table that have values in the `_rest` of a source; new columns are learnt for types without one. */
export async function fieldsInRest(
  instance: Instance,
  source: string,
  registry: Pick<ColumnRegistry, 'columnFor' | 'columns' | 'isMixed' | 'storedColumn'>,
): Promise<FieldInRest[]> {
  const fields = [...registry.columns.keys()].filter((name) => registry.isMixed(name));
  if (fields.length === 0) return [];
  const types = fields.map((_, index) => `string_agg(distinct json_type(${FOUND}[${index + 1}]), ',') as f${index}`);
  const [row = {}] = await instance.run(
    `select ${types.join(', ')} from (select ${membersOf(fields)} as ${FOUND} from (${source}) where _rest is not null)`,
  );
  return fields.flatMap((field, index) => {
    const found = String(row[`f${index}`] ?? '').split(',');
    const names = found.flatMap((type) => {
      const fieldType = FIELD_TYPES[type];
      return (fieldType && registry.columnFor(field, fieldType)) ?? [];
    });
    const columns = [...new Set(names)].flatMap((name) => {
      const column = registry.storedColumn(name);
      return column ? [{ name, type: column.type }] : [];
    });
    return columns.length === 0 ? [] : [{ field, columns }];
  });
}

const membersOf = (fields: readonly string[]): string =>
  `case when _rest is not null then json_extract(_rest, [${fields.map((field) => quotedText(pointerTo(field))).join(', ')}]) end`;

const pointerTo = (field: string): string => `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** A SELECT of the records of a source in which values that have a column are no longer in `_rest`. */
export function withRestValues(source: string, fields: readonly FieldInRest[]): string {
  if (fields.length === 0) return source;
  const sought = fields.flatMap(({ field, columns }, index) =>
    columns.map((column, at) => ({ ...column, field, member: `${FOUND}[${index + 1}]`, key: `f${index}_${at}` })),
  );
  const values = sought.map(({ type, member, key }) => `${key} := ${valueIn(type, member)}`);
  const replaced = sought.map(({ name, key }) => {
    const column = quotedName(name);
    return `coalesce(${column}, ${VALUES}.${key}) as ${column}`;
  });
  const gone = fields.map(({ field }) => {
    const found = sought.filter((column) => column.field === field).map(({ key }) => `${VALUES}.${key}`);
    return `case when coalesce(${found.map((one) => `${one}::varchar`).join(', ')}) is not null then ${quotedText(`${JSON.stringify(field)}:null`)} end`;
  });
  const patch = `concat('{', concat_ws(',', ${gone.join(', ')}), '}')`;
  return `select * exclude (${FOUND}, ${VALUES}) replace (${replaced.join(', ')}, ${restWithout(patch)} as _rest)
    from (select *, struct_pack(${values.join(', ')}) as ${VALUES}
      from (select *, ${membersOf(fields.map(({ field }) => field))} as ${FOUND} from (${source})))`;
}

const restWithout = (patch: string): string =>
  `case when _rest is null or ${patch} = '{}' then _rest else nullif(json_merge_patch(_rest, ${patch}), '{}') end`;

/**
 * The number and the sum of the hashes of all records of a source, wherever it has their values: two sources with the same ones
 * have the same records. `fields` are those of which one may have values in columns that the other has in `_rest`.
 */
export function recordsSum(source: string, columns: StoredColumns, fields: readonly FieldInRest[]): string {
  const moved = new Map(fields.flatMap(({ field, columns: own }) => own.map(({ name }) => [name, field] as const)));
  const plain = [...columns.keys()].filter((name) => !moved.has(name)).map(quotedName);
  const members = [...moved].map(([name, field]) => {
    const column = quotedName(name);
    const { type = 'VARCHAR' } = columns.get(name) ?? {};
    return `case when ${column} is not null then ${quotedText(`${field}:`)} || ${jsonOf(type, column)} end`;
  });
  const rest = `list_transform(map_entries(json_transform(_rest, '"MAP(VARCHAR,JSON)"')), lambda entry: entry.key || ':' || coalesce(entry.value::varchar, 'null'))`;
  const inRest = `list_sort(list_filter(list_concat([${members.join(', ')}]::varchar[], coalesce(${rest}, [])), lambda member: member is not null))`;
  return `select count(*)::double as total, sum(hash(${['_id', '_time', ...plain, inRest].join(', ')})::hugeint)::varchar as hashes from (${source})`;
}
