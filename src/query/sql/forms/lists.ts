// SQL of list and map functions (9.7), which are stored as JSON.

import { type Expression, leafRead } from '#query/model/expression.ts';
import { convertTo, overflowKey, toAny } from '#query/sql/conversion.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import type { Sql } from '#query/sql/scope.ts';
import { sql } from '#query/sql/writer.ts';
import { textOf, wholeOf } from '#query/values/conversions.ts';
import { argumentAt, compiled, constantAt } from './arguments.ts';
import { limited, limitedJson, limitedReads, multiplied, stoppable } from './element-limits.ts';
import type { Forms } from './form.ts';
import { bytesPerPosition } from './position-bytes.ts';

export const lists: Forms = {
  valueof(call, compiler) {
    const read = leafRead(call);
    const leaf = read && compiler.scope.leaf?.(read);
    if (leaf) return leaf;
    const key = constantAt(call, 1, compiler);
    const value = argumentAt(call, 0, compiler);
    if (key === undefined || !['any', 'list', 'map'].includes(value.type)) return undefined;
    if (key === null) return compiler.bind(null);
    const at = wholeOf(key);
    const word = textOf(key, compiler.scope.run.zone) ?? '';
    const text = compiler.once([toAny(value, compiler)], (j = '') => {
      const inMap = overflowKey({ text: j, type: 'map' }, word, compiler).text;
      const inList =
        at === null || at < 0n ? 'null' : `nullif(json_extract(${j}, ${compiler.bind(`/${at}`).text}), 'null')`;
      return `case when vigil_is_list(${j}) then ${inList} when vigil_is_map(${j}) then ${inMap} end`;
    });
    return sql(text, 'any');
  },

  foreach(call, compiler) {
    const [body, ...given] = call.args;
    if (!body) return undefined;
    const values = given.map((list) => toAny(compiler.compile(list), compiler));
    const text = compiler.once(values, (...names) => eachPosition(body, names, compiler));
    return sql(text, 'list');
  },

  zip(call, compiler) {
    const values = compiled(call, compiler).map((value) => convertTo('list')(value, compiler));
    const text = compiler.once(values, (...names) => {
      const areThere = names.map((name) => `${name} is not null`).join(' and ');
      const count = `greatest(${names.map((name) => `json_array_length(${name})`).join(', ')})::bigint`;
      const text = compiler.once([sql(count, 'long')], (n = '') => limited(zipped(names, n, compiler), n, compiler));
      return `case when ${areThere} then ${text} end`;
    });
    return sql(text, 'list');
  },
};

/** Concatenates text, because every part is JSON already. */
function zipped(names: readonly string[], count: string, compiler: ExpressionCompiler): string {
  const element = compiler.variable();
  const position = compiler.variable();
  const items = names.map((_, index) => `coalesce(${element}[${index + 1}]::varchar, 'null')`);
  const positions = multiplied(count, compiler);
  const row = stoppable(`'[' || ${items.join(" || ',' || ")} || ']'`, { position, positions }, compiler);
  const lists = `list_zip(${names.map(elementsOf).join(', ')})`;
  return `('[' || array_to_string(list_transform(${lists}, lambda ${element}, ${position}: ${row}), ',') || ']')::json`;
}

/** A JSON list as a DuckDB list: parsed once, not once per position. */
const elementsOf = (list: string): string => `(${list}->'$[*]')::json[]`;

/** Elements of lists are JSON values; a value that is not a list repeats. */
function eachPosition(body: Expression, names: readonly string[], compiler: ExpressionCompiler): string {
  const [first = 'null'] = names;
  const lengths = names.map((name) => `case when vigil_is_list(${name}) then json_array_length(${name}) end`);
  const count = sql(`coalesce(greatest(${lengths.join(', ')}), 1)::bigint`, 'long');
  const text = compiler.once([count], (n = '') => {
    const positions = multiplied(n, compiler);
    const bytes = bytesPerPosition(body, compiler);
    const list = sql(transformed(body, names, { positions, bytes }, compiler), 'any');
    const json = compiler.once([list], (all = '') => limitedJson(all, positions, compiler));
    const made = limitedReads(json, bytes, positions, compiler);
    return limited(`case when ${n} = 0 then '[]'::json else ${made} end`, n, compiler);
  });
  return `case when vigil_sound(${first}) is not null then ${text} end`;
}

interface Positions {
  /** SQL of their number. */
  readonly positions: string;
  /** SQL of what the body reads at each of them. */
  readonly bytes: readonly string[];
}

/** The values of the body at all positions; there is at least one. */
function transformed(
  body: Expression,
  names: readonly string[],
  { positions, bytes }: Positions,
  compiler: ExpressionCompiler,
): string {
  const element = compiler.variable();
  const position = compiler.variable();
  const variables = names.map(() => compiler.variable());
  const elements: Sql[] = variables.map((text) => ({ text, type: 'any', isPlain: true }));
  const inner = toAny(compiler.inner(body, elements, positions), compiler).text;
  const lists = names.map((name) => `case when vigil_is_list(${name}) then ${elementsOf(name)} else [null::json] end`);
  const all = lists.length === 1 ? `${lists[0]}` : `list_zip(${lists.join(', ')})`;
  return inSlots(all, bytes, compiler, (placed, { isFirst, many }) => {
    const body = isFirst(position, inner);
    const written = stoppable(body, { position, positions: many(positions) }, compiler);
    const bound = names.reduceRight((text, name, index) => {
      const own = names.length === 1 ? element : `${element}[${index + 1}]`;
      const value = `case when vigil_is_list(${name}) then nullif(${own}, 'null') else ${name} end::json`;
      return `list_transform([${value}], lambda ${variables[index]}: ${text})[1]`;
    }, written);
    return `list_transform(${placed}, lambda ${element}, ${position}: ${bound})`;
  });
}

/** Bytes that one slot of an element may read. */
const SLOT_BYTES = 512;
const MAX_SLOTS = 2048;

interface Slots {
  /** `text` in the first slot of each element, null in its others. */
  isFirst(position: string, text: string): string;
  /** The number of slots of an element. */
  many(count: string): string;
}

/**
 * DuckDB computes a lambda for 2,048 elements at a time, and checks for a cancel only before: where each of them reads much,
 * an element gets several slots, of which it is computed in the first.
 */
function inSlots(
  list: string,
  bytes: readonly string[],
  compiler: ExpressionCompiler,
  write: (placed: string, slots: Slots) => string,
): string {
  if (bytes.length === 0) return write(list, { isFirst: (_, text) => text, many: (count) => count });
  const each = sql(`least(${MAX_SLOTS}, 1 + (${bytes.join(' + ')}) // ${SLOT_BYTES})::bigint`, 'long');
  const item = compiler.variable();
  return compiler.once([each], (count = '') => {
    const placed = `flatten(list_transform(${list}, lambda ${item}: list_resize([${item}], ${count})))`;
    const made = write(placed, {
      isFirst: (position, text) => `case when (${position} - 1) % ${count} = 0 then ${text} end`,
      many: (total) => `(${total} * ${count})`,
    });
    return `list_slice(${made}, 1, -1, ${count})`;
  });
}
