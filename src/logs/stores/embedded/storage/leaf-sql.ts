// The SQL of leaves: the text of an object put together from its columns, and the columns taken from its text.

import { nameOf, scanObject } from '#kernel/json/json-members.ts';
import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import {
  type LeafColumn,
  type LeafShape,
  type LeafType,
  type Leaves,
  leafColumns,
  pathKey,
} from '#logs/stores/shared/leaves.ts';

/** A value of a type, which is not null, as JSON text. */
const TEXTS: Readonly<Record<LeafType, (value: string) => string>> = {
  VARCHAR: (value) => `to_json(${value})::varchar`,
  DOUBLE: doubleText,
  BOOLEAN: (value) => `${value}::varchar`,
  JSON: (value) => `${value}::varchar`,
};

/** Null for a whole number that is no long: none is in a column. */
function doubleText(value: string): string {
  return `case when ${value} = trunc(${value}) then try_cast(${value} as bigint)::varchar else to_json(${value})::varchar end`;
}

type ColumnsOfPaths = ReadonlyMap<string, readonly LeafColumn[]>;

const columnsOfPaths = (columns: readonly LeafColumn[]): ColumnsOfPaths =>
  Map.groupBy(columns, ({ path }) => pathKey(path));

/** The paths of a shape. */
export const pathsOf = ({ pieces }: LeafShape): (readonly string[])[] =>
  pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece]));

/** The text of the objects of a shape; null where a leaf is. */
function shapeText(
  { pieces }: Pick<LeafShape, 'pieces'>,
  ofPaths: ColumnsOfPaths,
  valueIn: (column: LeafColumn) => string,
): string {
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return quotedText(piece);
    const values = (ofPaths.get(pathKey(piece)) ?? []).map((column) => TEXTS[column.type](valueIn(column)));
    return values.length === 1 ? `(${values[0]})` : `coalesce(${values.join(', ')})`;
  });
  return texts.join(' || ');
}

/** The columns that `wholeRest` reads. */
export function columnsOfRest({ columns, shapeName, shapes }: Leaves, fields?: ReadonlySet<string>) {
  const read = columns.filter(({ path: [field = ''] }) => fields?.has(field) ?? true);
  return read.length === 0 ? [] : leafColumns({ shapeName, shapes, columns: read });
}

/** No text of a shape has it. */
const MARK = '\u0000';

/** The object of some fields of a shape; undefined where it has none of them. */
function partOfShape({ pieces }: LeafShape, fields: ReadonlySet<string>): Pick<LeafShape, 'pieces'> | undefined {
  const marked = pieces.map((piece, place) => (typeof piece === 'string' ? piece : `${MARK}${place}${MARK}`)).join('');
  const members = scanObject(marked).members.filter(([key]) => fields.has(nameOf(key)));
  if (members.length === 0) return undefined;
  const texts = `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`.split(MARK);
  return { pieces: texts.map((text, at) => (at % 2 === 0 ? text : (pieces[Number(text)] ?? ''))) };
}

const ownColumn = ({ name }: LeafColumn): string => quotedName(name);

/** `_rest` of records that may have a shape, or so much of it as some fields are. */
export function wholeRest({ shapeName, columns, shapes }: Leaves, fields?: ReadonlySet<string>): string {
  const ofPaths = columnsOfPaths(columns);
  const cases = shapes.flatMap((shape) => {
    const part = fields ? partOfShape(shape, fields) : shape;
    return part ? [`when ${shape.number} then ${shapeText(part, ofPaths, ownColumn)}`] : [];
  });
  if (cases.length === 0) return '_rest';
  return `case when ${quotedName(shapeName)} is null then _rest else (case ${quotedName(shapeName)} ${cases.join(' ')} end)::json end`;
}

/** In place of the column that has it while columns are made: no field has a column of these names. */
const FOUND = '_doc';
const FOUND_SHAPE = '_row';

interface WantedLeaves {
  readonly leaves: Leaves;
  readonly shapes: readonly LeafShape[];
  /** Names of those columns that the source has already. */
  readonly known: ReadonlySet<string>;
}

/** A SELECT of the records of a source with columns of leaves. `_rest` of a record that has one of the shapes, to the letter, becomes columns. */
export function withLeaves(source: string, { leaves, shapes, known }: WantedLeaves): string {
  const shapeName = quotedName(leaves.shapeName);
  const missing = leafColumns(leaves).filter(({ name }) => !known.has(name));
  const nulls = missing.map(({ name, type }) => `null::${type} as ${quotedName(name)}`);
  const columns = nulls.length === 0 ? source : `select *, ${nulls.join(', ')} from (${source})`;
  if (shapes.length === 0) return columns;
  const paths = new Map(shapes.flatMap(pathsOf).map((path) => [pathKey(path), path]));
  const places = new Map([...paths.keys()].map((key, place) => [key, place + 1]));
  const found = leaves.columns.filter(({ path }) => places.has(pathKey(path)));
  const ofPaths = columnsOfPaths(found);
  const foundName = ({ number }: LeafColumn) => `l${number}`;
  const typed = found.map((column) => {
    const value = `${FOUND}[${places.get(pathKey(column.path))}]`;
    const types = (ofPaths.get(pathKey(column.path)) ?? []).map(({ type }) => type);
    return `${foundName(column)} := ${ofType(column.type, value, types)}`;
  });
  const pointers = [...paths.values()].map((path) => quotedText(path.map((key) => `/${key}`).join('')));
  const valueIn = (column: LeafColumn) => `${FOUND}.${foundName(column)}`;
  const cases = shapes.map(
    (shape) => `when _rest::varchar = ${shapeText(shape, ofPaths, valueIn)} then ${shape.number}`,
  );
  const taken = found.map((column) => {
    const name = quotedName(column.name);
    return `case when ${FOUND_SHAPE} is null then ${name} else ${valueIn(column)} end as ${name}`;
  });
  return `select * exclude (${FOUND}, ${FOUND_SHAPE}) replace (${[
    ...taken,
    `case when ${FOUND_SHAPE} is null then _rest end as _rest`,
    `coalesce(${shapeName}, ${FOUND_SHAPE}) as ${shapeName}`,
  ].join(', ')})
    from (select *, case when _rest is not null then case ${cases.join(' ')} end end as ${FOUND_SHAPE}
    from (select * replace (struct_pack(${typed.join(', ')}) as ${FOUND})
    from (select *, json_extract(_rest, [${pointers.join(', ')}]) as ${FOUND} from (${columns}))))`;
}

/** Of JSON of any type the value of one column of its path; null for one that another of them has. */
function ofType(type: LeafType, json: string, types: readonly LeafType[]): string {
  const text = `${json}::varchar`;
  const double = `try_cast(${text} as double)`;
  switch (type) {
    case 'VARCHAR':
      return `case when starts_with(${text}, '"') then ${json}->>'$' end`;
    case 'BOOLEAN':
      return `case ${text} when 'true' then true when 'false' then false end`;
    case 'DOUBLE':
      return `case when (${doubleText(double)}) = ${text} then ${double} end`;
    default: {
      const isElsewhere = types.flatMap((one) => (one === 'JSON' ? [] : [`(${ofType(one, json, types)}) is not null`]));
      const others = isElsewhere.length === 0 ? '' : ` and not (${isElsewhere.join(' or ')})`;
      return `case when ${text} <> 'null'${others} then ${json} end`;
    }
  }
}
