// Lists and maps (9.7), as JSON.

import type { Sql } from '#query/dialects/dialect.ts';
import type { Compiler } from '#query/dialects/duckdb/compiler.ts';
import { overflowKey } from '#query/dialects/duckdb/compiler.ts';
import { toAny } from '#query/dialects/duckdb/convert.ts';
import { sql } from '#query/dialects/duckdb/writer.ts';
import { textOf, wholeOf } from '#query/evaluate/conversions.ts';
import type { Call } from '#query/expression.ts';
import { argumentAt, constantAt } from './given.ts';
import type { Forms } from './index.ts';

export const lists: Forms = {
  valueof(call, compiler) {
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
    const text = compiler.once(values, (...names) => eachPosition(call, names, compiler));
    return sql(text, 'list');
  },
};

/** Elements of lists are JSON values; a value that is no list repeats. */
function eachPosition({ args: [body] }: Call, names: readonly string[], compiler: Compiler): string {
  if (!body) return 'null';
  const [first = 'null'] = names;
  const position = compiler.variable();
  const lengths = names.map((name) => `case when vigil_is_list(${name}) then json_array_length(${name}) end`);
  const variables = names.map(() => compiler.variable());
  const elements: Sql[] = variables.map((text) => ({ text, type: 'any', isPlain: true }));
  const inner = toAny(compiler.inner(body, elements), compiler).text;
  const bound = names.reduceRight((written, name, index) => {
    const element = `case when vigil_is_list(${name}) then nullif(json_extract(${name}, '/' || ${position}), 'null') else ${name} end`;
    return `list_transform([${element}], lambda ${variables[index]}: ${written})[1]`;
  }, inner);
  const count = `coalesce(greatest(${lengths.join(', ')}), 1)::bigint`;
  return `case when vigil_sound(${first}) is not null then to_json(list_transform(range(${count}), lambda ${position}: ${bound})) end`;
}
