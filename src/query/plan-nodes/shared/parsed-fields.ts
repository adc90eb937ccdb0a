// Fields that the local evaluator parses out of a value: the parse family and named parsers (7.2). Parsed fields that are known columns
// go into `fields`, all others into the new overflow (that of `rows`). A row from which nothing could be parsed passes as it
// came; else with `overlay` the parsed fields lie over the row, and without it every field in `fields` that was not parsed is
// null and the old overflow is gone.

import type { Column } from '#query/model/columns.ts';
import type { ColumnId, Expression } from '#query/model/expression.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { Step } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { overflowOf, type Row } from '#query/rows/row.ts';
import { toAny } from '#query/sql/conversion.ts';
import type { Sql } from '#query/sql/scope.ts';
import { laidOver, type ParseMethod } from '#query/values/formats/parsed-text.ts';
import { LaidOverMap } from '#query/values/laid-over-map.ts';
import { readExtracted, withText, withValue } from './extracted.ts';
import { evaluatedLocally } from './local-rows.ts';
import { rawKey, strippedOverflow } from './overflow.ts';
import { exactFields } from './parsed-text-sql.ts';
import type { Reading } from './reading.ts';
import { FIELD_WEIGHT, type RowScope } from './row-scope.ts';

export interface ParsedFields extends Step {
  readonly source: Expression;
  readonly overlay: boolean;
  /** `_table`, `_time`, `_id` and `_node` keep their value without `overlay` too, unless they are parsed. */
  readonly fields: readonly { readonly column: Column; readonly before: Expression; readonly isKept: boolean }[];
  readonly overflow: ColumnId;
}

/** With `overlay` or without: a row that cannot be parsed keeps its old overflow. */
export function readParsed(node: ParsedFields, reading: Reading): void {
  readExtracted(node.fields, node.source, reading);
  if (!reading.isOverflowRead(node.overflow)) return;
  reading.expression(node.source);
  reading.overflowFrom(node.overflow, node.input.rows.overflow);
}

interface Parsing {
  /** The parsed value is a map, null where nothing could be parsed. */
  readonly parse: (values: readonly Value[]) => Value;
  /** Only maps are sent to the local evaluator. */
  readonly ofMaps?: boolean;
  /** Texts that DuckDB parses itself are not sent to the local evaluator. */
  readonly method?: ParseMethod;
}

export function parsedSql(
  node: ParsedFields,
  { parse, ofMaps = false, method }: Parsing,
  compiler: PlanCompiler,
): string {
  const { input, source, overlay, fields, overflow, rows } = node;
  const below = compiler.planNode(input);
  const read = fields.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0 && !compiler.isRead(overflow)) return below;
  const given = compiler.expression(source);
  const { from, text } = ofMaps
    ? withValue(below, toAny(given, compiler.writer()), compiler)
    : withText(below, given, compiler);
  const parsed = compiler.name('parsed');
  const local = evaluatedLocally(parse, [text], { type: 'map', compiler }).text;
  const exact = method && exactFields(text.text, method, compiler);
  const byText = exact
    ? `case when ${exact.isExact} then ${exact.made} when ${text.text} is not null then ${local} end`
    : local;
  const made = ofMaps ? `case when vigil_is_map(${text.text}) then ${local} end` : byText;
  const computed = new Map<ColumnId, string>();
  for (const { column, before, isKept } of read) {
    const old = compiler.converted(compiler.expression(before), column.type);
    const value = rawKey(parsed, column.name, compiler);
    const otherwise = overlay || isKept ? old : `case when ${parsed} is null then ${old} end`;
    computed.set(column.id, `case when (${value}) is not null then nullif(${value}, 'null') else ${otherwise} end`);
  }
  if (compiler.isRead(overflow)) {
    computed.set(overflow, newOverflow(node, { text: parsed, type: 'map', isPlain: true }, compiler));
  }
  return compiler.select(rows, { from: `(select *, ${made} as ${parsed} from ${from})`, computed });
}

const NO_FIELDS: MapValue = new Map();

/** The same locally: `parse` gives the parsed fields of a row, undefined where nothing could be parsed. */
export function parsedRow(
  node: ParsedFields,
  scope: RowScope<Row>,
  parse: (row: Row) => ReadonlyMap<string, Value> | undefined,
): (row: Row) => boolean {
  const { overlay, overflow, input } = node;
  const { meter } = scope;
  const old = input.rows.overflow;
  const fields = node.fields.map(({ column, before, isKept }) => ({ column, before: scope.value(before), isKept }));
  return (one) => {
    const parsed = parse(one);
    if (parsed) meter.takeShallow(parsed, FIELD_WEIGHT);
    if (old) meter.takeShallow(one[old.id] ?? null, FIELD_WEIGHT);
    for (const { column, before, isKept } of fields) {
      if (parsed?.has(column.name)) one[column.id] = parsed.get(column.name) ?? null;
      else one[column.id] = !parsed || overlay || isKept ? before(one) : null;
    }
    const kept = old && (!parsed || overlay) ? (overflowOf(one, old) ?? NO_FIELDS) : undefined;
    one[overflow] = kept && parsed ? new LaidOverMap(kept, parsed) : (parsed ?? kept ?? null);
    return true;
  };
}

function newOverflow({ input, overlay }: ParsedFields, parsed: Sql, compiler: PlanCompiler): string {
  const { overflow } = input.rows;
  if (!overflow) return parsed.text;
  const old = strippedOverflow(overflow, compiler);
  if (!overlay) return `coalesce(${parsed.text}, ${old.text})`;
  const writer = compiler.writer();
  return writer.once([old], (o = '') => {
    const below = toAny({ ...old, text: o, isPlain: true }, writer);
    const both = evaluatedLocally(laidOver, [below, parsed], { type: 'map', compiler }).text;
    return `case when ${o} is null then ${parsed.text} when ${parsed.text} is null then ${o} else ${both} end`;
  });
}
