// The dialect of DuckDB. An instance must have run `preludeStatements` and been given the host function before its
// first compiled statement.

import { aggregateSql } from './aggregates.ts';
import { equality } from './comparison.ts';
import { Compiler, overflowKey } from './compiler.ts';
import { asType, toAny } from './conversion.ts';
import { groupTest } from './forms/addresses.ts';
import { bucketSteps } from './forms/buckets.ts';
import type { Dialect } from './scope.ts';
import { quotedName, sql, Writer } from './writer.ts';

export { taggedJson, taggedValue } from '#query/rows/tagged-json.ts';
export * from '#query/statements/statements.ts';
export { hostCallBudgetOf } from './host-call-budget.ts';
export { isTooDeep } from './host-expression.ts';
export { registerHostFunction } from './host-function.ts';
export { preludeStatements } from './macros.ts';
export { isForHost } from './patterns.ts';
export { type Statement, statementOf } from './statement.ts';
export { stopCheckOf } from './stop-check.ts';

export const duckdb: Dialect = {
  name: 'duckdb',
  quoted: quotedName,

  expression(expression, scope, as) {
    const compiler = new Compiler(scope);
    const compiled = compiler.whole(expression);
    return as ? asType(compiled, as, compiler) : compiled;
  },

  condition: (expression, scope) => new Compiler(scope).condition(expression),

  aggregate(call, scope, as) {
    const compiled = aggregateSql(call, scope);
    return as ? asType(compiled, as, new Writer(scope)) : compiled;
  },

  sortKeys(value, scope) {
    if (!MIXED.includes(value.type)) return [value.text];
    const writer = new Writer(scope);
    const json = toAny(value, writer);
    const keys = ['rank', 'key_number', 'key_rest'].map((name) => writer.macro(name, [json]));
    return [...keys, writer.macro('key_text', [json], writer.zone)];
  },

  groupKey(value, scope) {
    const writer = new Writer(scope);
    return MIXED.includes(value.type) ? writer.macro('group', [toAny(value, writer)], writer.zone) : value.text;
  },

  equalityKey(value, scope) {
    const writer = new Writer(scope);
    if (value.type === 'string') return writer.macro('text_key', [value], writer.zone);
    if (value.type === 'long') return `vigil_double_key((${value.text})::double)`;
    return writer.macro('equal_key', [toAny(value, writer)], writer.zone);
  },

  equality: (left, right, scope) => `coalesce(${equality({ sql: left }, { sql: right }, new Writer(scope))}, false)`,

  converted: (value, as, scope) => asType(value, as, new Writer(scope)),

  storedField(column, overflow, name, scope) {
    const writer = new Writer(scope);
    return sql(`coalesce(${toAny(column, writer).text}, ${overflowKey(overflow, name, writer).text})`, 'any');
  },

  bucketSteps: (span, offset, scope) => bucketSteps(span, offset, new Compiler(scope)),
  groupMembership: (value, group, scope) => groupTest(value, group, new Compiler(scope)),
};

const MIXED: readonly string[] = ['any', 'list', 'map'];
