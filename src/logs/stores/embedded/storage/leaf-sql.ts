// The SQL of leaves: the text of a value put together from its columns, and the columns taken from its text.

import { type LeafType, pathKey, type ShapePieces } from '#logs/leaf-shapes.ts';
import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import type { TextColumn } from '#logs/stores/embedded/text-index/build-filter.ts';
import {
  type KnownShape,
  type LeafColumn,
  type LeafField,
  type LeafFileColumn,
  type Leaves,
  leafColumns,
} from '#logs/stores/shared/leaves.ts';
import { jsonOf, valueIn } from './json-values.ts';

type ColumnsOfPaths = ReadonlyMap<string, readonly LeafColumn[]>;

const columnsOfPaths = (columns: readonly LeafColumn[]): ColumnsOfPaths =>
  Map.groupBy(columns, ({ path }) => pathKey(path));

/** The paths of a shape. */
const pathsOf = (pieces: ShapePieces): (readonly string[])[] =>
  pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece]));

type TextOf = (column: LeafColumn, value: string) => string;

const exactText: TextOf = ({ type }, value) => jsonOf(type, value);

/** Of values without a character that JSON would escape. */
const plainText: TextOf = ({ type }, value) => (type === 'VARCHAR' ? `'"' || ${value} || '"'` : jsonOf(type, value));

interface ShapeTexts {
  readonly ofPaths: ColumnsOfPaths;
  readonly valueIn: (column: LeafColumn) => string;
  readonly textOf: TextOf;
}

/** What comes before the text of a value in that of its object. */
const keyText = (field: string): string => `${JSON.stringify(field)}:`;

/** The text of the values of a shape, none of whose leaves is null, with a text before it. */
function shapeText(pieces: ShapePieces, { ofPaths, valueIn, textOf }: ShapeTexts, before = ''): string {
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return quotedText(piece);
    const values = (ofPaths.get(pathKey(piece)) ?? []).map((column) => textOf(column, valueIn(column)));
    return values.length === 1 ? values[0] : `coalesce(${values.join(', ')})`;
  });
  return `concat(${[...(before === '' ? [] : [quotedText(before)]), ...texts].join(', ')})`;
}

/** Those of some fields; absent: of all. */
const fieldsOf = ({ fields }: Leaves, wanted?: ReadonlySet<string>): LeafField[] =>
  fields.filter(({ field }) => wanted?.has(field) ?? true);

/** The columns that `wholeRest` reads. */
export function columnsOfRest(leaves: Leaves, wanted?: ReadonlySet<string>): LeafFileColumn[] {
  const fields = fieldsOf(leaves, wanted);
  const names = new Set(fields.map(({ field }) => field));
  return leafColumns({ fields, columns: leaves.columns.filter(({ path: [field = ''] }) => names.has(field)) });
}

const ownColumn = ({ name }: LeafColumn): string => quotedName(name);

/** `_rest` with the values that are in columns, or so much of these as some fields have. */
export function wholeRest(leaves: Leaves, wanted?: ReadonlySet<string>): string {
  const fields = fieldsOf(leaves, wanted);
  if (fields.length === 0) return '_rest';
  const texts = { ofPaths: columnsOfPaths(leaves.columns), valueIn: ownColumn, textOf: exactText };
  const members = fields.map((field) => memberText(field, texts));
  const shapes = fields.map(({ name }) => quotedName(name));
  const others = `case when _rest is null then '}' else ',' || substr(_rest::varchar, 2) end`;
  return `case when coalesce(${shapes.join(', ')}) is null then _rest
    else concat('{', concat_ws(',', ${members.join(', ')}), ${others})::json end`;
}

/** Null where the value is in `_rest`, or nowhere. */
function memberText({ field, name, shapes }: LeafField, texts: ShapeTexts): string {
  const cases = shapes.map((pieces, at) => `when ${at + 1} then ${shapeText(pieces, texts, keyText(field))}`);
  return `case ${quotedName(name)} ${cases.join(' ')} end`;
}

/** What the words of a value that a leaf was in are taken from. */
const WORDS: Readonly<Record<LeafType, Pick<TextColumn, 'form' | 'textOf'>>> = {
  VARCHAR: { form: 'leaf' },
  DOUBLE: { form: 'text', textOf: (value) => jsonOf('DOUBLE', value) },
  BOOLEAN: { form: 'text', textOf: (value) => jsonOf('BOOLEAN', value) },
  JSON: { form: 'json', textOf: (value) => `'{"":' || ${value}::varchar || '}'` },
};

/** The columns of leaves with the SQL of texts that hold all words of the values that they were in, those of keys among them. */
export const leafTexts = ({ fields, columns }: Leaves) => [
  ...columns.map((column) => ({ ...column, ...WORDS[column.type] })),
  ...fields.map((field) => ({
    name: field.name,
    number: field.number,
    type: 'INTEGER' as const,
    form: 'text' as const,
    textOf: (value: string) => wordsOfShapes(field, value),
  })),
];

function wordsOfShapes({ field, shapes }: LeafField, value: string): string {
  const cases = shapes.map((pieces, at) => {
    const texts = pieces.filter((piece) => typeof piece === 'string');
    return `when ${at + 1} then ${quotedText([keyText(field), ...texts].join(''))}`;
  });
  return `case ${value} ${cases.join(' ')} end`;
}

/** Instead of the columns that have them while columns are made: no field has a column of these names. */
const FOUND = '_doc';
const FOUND_SHAPES = '_row';

interface WantedLeaves {
  readonly leaves: Leaves;
  readonly shapes: readonly KnownShape[];
  /** Names of those columns that the source has already. */
  readonly known: ReadonlySet<string>;
}

/** A field of which values are sought. */
interface SoughtField extends LeafField {
  /** The names of its values and of its shapes in structs. */
  readonly key: string;
  readonly wanted: readonly SoughtShape[];
  readonly columns: readonly LeafColumn[];
}

interface SoughtShape {
  readonly number: number;
  readonly pieces: ShapePieces;
}

/** A SELECT of the records of a source with columns of leaves. A value in `_rest` that has one of the shapes, to the letter, goes to columns. */
export function withLeaves(source: string, { leaves, shapes, known }: WantedLeaves): string {
  const missing = leafColumns(leaves).filter(({ name }) => !known.has(name));
  const nulls = missing.map(({ name, type }) => `null::${type} as ${quotedName(name)}`);
  const columns = nulls.length === 0 ? source : `select *, ${nulls.join(', ')} from (${source})`;
  const sought = soughtFields(leaves, shapes);
  const found = sought.map((field) => `${field.key} := ${foundShape(field)}`);
  return `select * exclude (${FOUND}, ${FOUND_SHAPES}) replace (${replacements(sought).join(', ')})
    from (select *, struct_pack(${found.join(', ')}) as ${FOUND_SHAPES} from (${withFound(columns, sought)}))`;
}

function soughtFields({ fields, columns }: Leaves, shapes: readonly KnownShape[]): SoughtField[] {
  const numbers = Map.groupBy(shapes, ({ field }) => field);
  return fields.flatMap((field, index) => {
    const wanted = (numbers.get(field.field) ?? []).map(({ number }) => ({
      number,
      pieces: field.shapes[number - 1] ?? [],
    }));
    if (wanted.length === 0) return [];
    const paths = new Set(wanted.flatMap(({ pieces }) => pathsOf(pieces)).map(pathKey));
    return { ...field, key: `f${index}`, wanted, columns: columns.filter(({ path }) => paths.has(pathKey(path))) };
  });
}

/** What the columns of a record are in which some values were found. */
function replacements(sought: readonly SoughtField[]): string[] {
  const shapeOf = ({ key }: SoughtField) => `${FOUND_SHAPES}.${key}`;
  const columns = sought.flatMap((field) =>
    field.columns.map((column) => {
      const name = quotedName(column.name);
      return `case when ${shapeOf(field)} is null then ${name} else ${foundIn(field)(column)} end as ${name}`;
    }),
  );
  const shapes = sought.map((field) => {
    const name = quotedName(field.name);
    return `coalesce(${name}, ${shapeOf(field)}) as ${name}`;
  });
  return [...columns, ...shapes, `${restWithout(sought, shapeOf)} as _rest`];
}

/** `_rest` without the values that were found. Its text is as long as theirs together where it has no others. */
function restWithout(sought: readonly SoughtField[], shapeOf: (field: SoughtField) => string): string {
  const lengths = sought.map((field) => {
    const length = `strlen(${FOUND}.${field.key}.text) + ${Buffer.byteLength(keyText(field.field)) + 1}`;
    return `case when ${shapeOf(field)} is null then 0 else ${length} end`;
  });
  const nulls = sought.map(
    (field) => `case when ${shapeOf(field)} is not null then ${quotedText(`${keyText(field.field)}null`)} end`,
  );
  return `case when coalesce(${sought.map(shapeOf).join(', ')}) is null then _rest
    when strlen(_rest::varchar) = 1 + ${lengths.join(' + ')} then null
    else nullif(json_merge_patch(_rest, concat('{', concat_ws(',', ${nulls.join(', ')}), '}')), '{}') end`;
}

const foundIn =
  ({ key }: SoughtField) =>
  ({ number }: LeafColumn): string =>
    `${FOUND}.${key}.l${number}`;

/** A value that lacks some leaves of a shape may have another one: those with most leaves are tried first. */
function foundShape(field: SoughtField): string {
  const text = `${FOUND}.${field.key}.text`;
  const ordered = field.wanted.toSorted((one, other) => pathsOf(other.pieces).length - pathsOf(one.pieces).length);
  const ofPaths = columnsOfPaths(field.columns);
  const cases = (textOf: TextOf) => {
    const whens = ordered.map(({ number, pieces }) => {
      const isSame = `${text} = ${shapeText(pieces, { ofPaths, valueIn: foundIn(field), textOf })}`;
      return `when ${[...beginsLike(pieces, text), ...areThere(pieces, field), isSame].join(' and ')} then ${number}`;
    });
    return `case ${whens.join(' ')} end`;
  };
  return `case when ${text} is null then null when contains(${text}, '\\') then ${cases(exactText)} else ${cases(plainText)} end`;
}

const beginsLike = ([first]: ShapePieces, text: string): string[] =>
  typeof first === 'string' ? [`starts_with(${text}, ${quotedText(first)})`] : [];

const areThere = (pieces: ShapePieces, field: SoughtField): string[] => {
  const ofPaths = columnsOfPaths(field.columns);
  return pathsOf(pieces).map((path) => {
    const columns = ofPaths.get(pathKey(path)) ?? [];
    return `(${columns.map((column) => `${foundIn(field)(column)} is not null`).join(' or ')})`;
  });
};

/** A SELECT of the records with a struct for each field of the text of its value and of what columns would have of it. */
function withFound(source: string, sought: readonly SoughtField[]): string {
  const pointers = sought.map(({ field }) => quotedText(`/${field}`));
  const values = `case when _rest is not null then json_extract(_rest, [${pointers.join(', ')}]) end`;
  const trees = sought.map((field, index) => ({ field, value: `${FOUND}[${index + 1}]`, tree: pathTree(field) }));
  const taken = trees.map(({ field, value, tree }) => `${field.key} := ${takenOf(field, value, tree)}`);
  const typed = trees.map(({ field, tree }) => `${field.key} := ${typedOf(field, tree)}`);
  return `select * replace (struct_pack(${typed.join(', ')}) as ${FOUND})
    from (select * replace (struct_pack(${taken.join(', ')}) as ${FOUND})
      from (select *, ${values} as ${FOUND} from (${source})))`;
}

/** How the values at the paths of a field are taken: one pass over a text takes all but those that a struct cannot hold. */
interface PathTrees {
  readonly tree: PathTree;
  /** By paths the names of values that are looked up one by one. */
  readonly beside: ReadonlyMap<string, string>;
}

function pathTree({ columns }: SoughtField): PathTrees {
  const tree: PathTree = new Map();
  const beside = new Map<string, string>();
  for (const [path, ofPath] of columnsOfPaths(columns)) {
    const [, ...keys] = ofPath[0]?.path ?? [];
    if (keys.length > 0 && !addPath(tree, keys, foundType(ofPath))) beside.set(path, `p${beside.size}`);
  }
  return { tree, beside };
}

function takenOf({ columns, wanted }: SoughtField, value: string, { tree, beside }: PathTrees): string {
  const text = `${value}::varchar`;
  const starts = wanted.map(({ pieces }) => beginsLike(pieces, text)[0]);
  const mayHaveShape = starts.includes(undefined) ? `${value} is not null` : [...new Set(starts)].join(' or ');
  const lookups = [...columnsOfPaths(columns)].flatMap(([path, [column]]) => {
    const name = beside.get(path);
    const pointer = (column?.path ?? []).slice(1).map((key) => `/${key}`);
    return name ? [`${name} := json_extract(${value}, ${quotedText(pointer.join(''))})`] : [];
  });
  const trees = tree.size > 0 ? [`tree := json_transform(${value}, ${quotedText(structureText(tree))})`] : [];
  const all = [`whole := ${value}`, ...trees, ...lookups];
  return `case when ${mayHaveShape} then struct_pack(${all.join(', ')}) end`;
}

function typedOf({ key, columns }: SoughtField, { beside }: PathTrees): string {
  const whole = `${FOUND}.${key}.whole`;
  const ofPaths = columnsOfPaths(columns);
  const typed = columns.map(({ path, type, number }) => {
    const types = (ofPaths.get(pathKey(path)) ?? []).map((column) => column.type);
    const lookup = beside.get(pathKey(path));
    const [, ...keys] = path;
    const isJson = types.length > 1 || type === 'JSON' || lookup !== undefined || keys.length === 0;
    const inner = lookup ? [lookup] : ['tree', ...keys];
    const value = keys.length === 0 ? whole : [FOUND, key, ...inner.map(quotedName)].join('.');
    return `l${number} := ${isJson ? ofType(type, value, types) : value}`;
  });
  return `struct_pack(${[`text := ${whole}::varchar`, ...typed].join(', ')})`;
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
  switch (type) {
    case 'VARCHAR':
      return `case when starts_with(${text}, '"') then ${json}->>'$' end`;
    case 'BOOLEAN':
    case 'DOUBLE':
      return valueIn(type, json);
    default: {
      const isElsewhere = types.flatMap((one) => (one === 'JSON' ? [] : [`(${ofType(one, json, types)}) is not null`]));
      const others = isElsewhere.length === 0 ? '' : ` and not (${isElsewhere.join(' or ')})`;
      // An object that is not empty has leaves of its own.
      return `case when ${text} <> 'null' and (${text} = '{}' or not starts_with(${text}, '{'))${others} then ${json} end`;
    }
  }
}
