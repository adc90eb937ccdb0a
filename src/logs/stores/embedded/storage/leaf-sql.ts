// The SQL of leaves: the text of an object put together from its columns, and the columns taken from its text.

import { type LeafShape, type LeafType, partOfShape, pathKey } from '#logs/leaf-shapes.ts';
import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import type { TextColumn } from '#logs/stores/embedded/text-index/build-filter.ts';
import { type LeafColumn, type Leaves, leafColumns } from '#logs/stores/shared/leaves.ts';

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

type TextOf = (column: LeafColumn, value: string) => string;

const exactText: TextOf = ({ type }, value) => TEXTS[type](value);

/** Of values without a character that JSON would escape. */
const plainText: TextOf = ({ type }, value) => (type === 'VARCHAR' ? `'"' || ${value} || '"'` : TEXTS[type](value));

interface ShapeTexts {
  readonly ofPaths: ColumnsOfPaths;
  readonly valueIn: (column: LeafColumn) => string;
  readonly textOf: TextOf;
}

/** The text of the objects of a shape, none of whose leaves is null. */
function shapeText({ pieces }: Pick<LeafShape, 'pieces'>, { ofPaths, valueIn, textOf }: ShapeTexts): string {
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return quotedText(piece);
    const values = (ofPaths.get(pathKey(piece)) ?? []).map((column) => textOf(column, valueIn(column)));
    return values.length === 1 ? values[0] : `coalesce(${values.join(', ')})`;
  });
  return `concat(${texts.join(', ')})`;
}

/** The columns that `wholeRest` reads. */
export function columnsOfRest({ columns, shapeName, shapes }: Leaves, fields?: ReadonlySet<string>) {
  const read = columns.filter(({ path: [field = ''] }) => fields?.has(field) ?? true);
  return read.length === 0 ? [] : leafColumns({ shapeName, shapes, columns: read });
}

const ownColumn = ({ name }: LeafColumn): string => quotedName(name);

/** `_rest` of records that may have a shape, or so much of it as some fields are. */
export function wholeRest({ shapeName, columns, shapes }: Leaves, fields?: ReadonlySet<string>): string {
  const ofPaths = columnsOfPaths(columns);
  const cases = shapes.flatMap((shape) => {
    const part = fields ? partOfShape(shape, fields) : shape;
    return part
      ? [`when ${shape.number} then ${shapeText(part, { ofPaths, valueIn: ownColumn, textOf: exactText })}`]
      : [];
  });
  if (cases.length === 0) return '_rest';
  return `case when ${quotedName(shapeName)} is null then _rest else (case ${quotedName(shapeName)} ${cases.join(' ')} end)::json end`;
}

/** What the words of an object that a value was in are taken from. */
const WORDS: Readonly<Record<LeafType, Pick<TextColumn, 'form' | 'textOf'>>> = {
  VARCHAR: { form: 'leaf' },
  DOUBLE: { form: 'text', textOf: TEXTS.DOUBLE },
  BOOLEAN: { form: 'text', textOf: TEXTS.BOOLEAN },
  JSON: { form: 'json', textOf: (value) => `'{"":' || ${value}::varchar || '}'` },
};

/** The columns of leaves with the SQL of texts that hold all words of an object that they were in, those of its keys among them. */
export const leafTexts = (leaves: Leaves) =>
  leafColumns(leaves).map((column) => ({
    ...column,
    ...(column.type === 'INTEGER'
      ? { form: 'text' as const, textOf: (value: string) => wordsOfShapes(leaves, value) }
      : WORDS[column.type]),
  }));

function wordsOfShapes({ shapes }: Leaves, value: string): string {
  const cases = shapes.map(({ number, pieces }) => {
    const texts = pieces.filter((piece) => typeof piece === 'string');
    return `when ${number} then ${quotedText(texts.join(''))}`;
  });
  return `case ${value} ${cases.join(' ')} end`;
}

/** Instead of the columns that have them while columns are made: no field has a column of these names. */
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
  const paths = new Map(shapes.flatMap(pathsOf).map((path) => [pathKey(path), path]));
  const found = leaves.columns.filter(({ path }) => paths.has(pathKey(path)));
  const taken = found.map((column) => {
    const name = quotedName(column.name);
    return `case when ${FOUND_SHAPE} is null then ${name} else ${foundIn(column)} end as ${name}`;
  });
  const shape = `${foundShape(shapes, columnsOfPaths(found))} as ${FOUND_SHAPE}`;
  return `select * exclude (${FOUND}, ${FOUND_SHAPE}) replace (${[
    ...taken,
    `case when ${FOUND_SHAPE} is null then _rest end as _rest`,
    `coalesce(${shapeName}, ${FOUND_SHAPE}) as ${shapeName}`,
  ].join(', ')})
    from (select *, ${shape} from (${withFound(columns, [...paths.values()], { shapes, found })}))`;
}

const foundIn = ({ number }: LeafColumn): string => `${FOUND}.l${number}`;

const beginsLike = ({ pieces: [first] }: LeafShape): string =>
  `starts_with(_rest::varchar, ${quotedText(String(first))})`;

/** A record that lacks some leaves of a shape may have another one: those with most leaves are tried first. */
function foundShape(shapes: readonly LeafShape[], ofPaths: ColumnsOfPaths): string {
  const ordered = shapes.toSorted((one, other) => pathsOf(other).length - pathsOf(one).length);
  const cases = (textOf: TextOf) => {
    const whens = ordered.map((shape) => {
      const isSame = `_rest::varchar = ${shapeText(shape, { ofPaths, valueIn: foundIn, textOf })}`;
      return `when ${[beginsLike(shape), ...areThere(shape, ofPaths), isSame].join(' and ')} then ${shape.number}`;
    });
    return `case ${whens.join(' ')} end`;
  };
  return `case when _rest is null then null when contains(_rest::varchar, '\\') then ${cases(exactText)} else ${cases(plainText)} end`;
}

const areThere = (shape: LeafShape, ofPaths: ColumnsOfPaths): string[] =>
  pathsOf(shape).map((path) => {
    const columns = ofPaths.get(pathKey(path)) ?? [];
    return `(${columns.map((column) => `${foundIn(column)} is not null`).join(' or ')})`;
  });

interface FoundColumns {
  readonly shapes: readonly LeafShape[];
  readonly found: readonly LeafColumn[];
}

/** A SELECT of the records with a struct of the values of columns. One pass over a text takes all but those that a struct cannot hold. */
function withFound(source: string, paths: readonly (readonly string[])[], { shapes, found }: FoundColumns): string {
  const ofPaths = columnsOfPaths(found);
  const tree: PathTree = new Map();
  const isBeside = (path: readonly string[]) => !addPath(tree, path, foundType(ofPaths.get(pathKey(path)) ?? []));
  const beside = new Map(paths.filter(isBeside).map((path, index) => [pathKey(path), { path, name: `p${index}` }]));
  const lookups = [...beside.values()].map(({ path, name }) => {
    const pointer = quotedText(path.map((key) => `/${key}`).join(''));
    return `${name} := json_extract(_rest, ${pointer})`;
  });
  const typed = found.map((column) => {
    const types = (ofPaths.get(pathKey(column.path)) ?? []).map(({ type }) => type);
    const lookup = beside.get(pathKey(column.path))?.name;
    const value = [FOUND, ...(lookup ? [lookup] : ['tree', ...column.path].map(quotedName))].join('.');
    return `l${column.number} := ${types.length > 1 || lookup ? ofType(column.type, value, types) : value}`;
  });
  const taken = [`tree := json_transform(_rest, ${quotedText(structureText(tree))})`, ...lookups];
  const mayHaveShape = [...new Set(shapes.map(beginsLike))].join(' or ');
  return `select * replace (struct_pack(${typed.join(', ')}) as ${FOUND})
    from (select *, case when ${mayHaveShape} then struct_pack(${taken.join(', ')}) end as ${FOUND} from (${source}))`;
}

/** Keys, each with what is below it or with the type of its values. */
type PathTree = Map<string, PathTree | string>;

const foundType = ([first, ...others]: readonly LeafColumn[]): string =>
  others.length === 0 ? String(first?.type) : 'JSON';

/** False where a struct cannot hold a path: names in one differ by more than case, and a value has no keys below. */
function addPath(tree: PathTree, [key = '', ...below]: readonly string[], type: string): boolean {
  const known = tree.get(key);
  if (known === undefined && [...tree.keys()].some((one) => one.toLowerCase() === key.toLowerCase())) return false;
  if (below.length === 0) {
    if (known === undefined) tree.set(key, type);
    return known === undefined;
  }
  if (typeof known === 'string') return false;
  const inner: PathTree = known ?? new Map();
  if (!addPath(inner, below, type)) return false;
  tree.set(key, inner);
  return true;
}

function structureText(tree: PathTree): string {
  const members = tree.entries().map(([key, below]) => {
    return `${JSON.stringify(key)}:${typeof below === 'string' ? JSON.stringify(below) : structureText(below)}`;
  });
  return `{${[...members].join(',')}}`;
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
