// Nodes that take fields out of text: rex, parse, the parse family.

import type { ColumnId } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import { toAny, toText } from '#query/sql/conversion.ts';
import { isForHost, namedGroupsRewritten, searchedPattern } from '#query/sql/patterns.ts';
import type { Sql } from '#query/sql/scope.ts';
import { laidOver, parsedValue } from '#query/values/parsed-text.ts';
import { regexOf } from '#query/values/regexes.ts';
import { onHost } from './host-rows.ts';
import { strippedOverflow } from './merges.ts';
import { parserOnHost } from './parser-on-host.ts';
import type { ParseBetween, ParseFields, ParserRun, Rex } from './plan.ts';
import type { PlanCompiler } from './sql-compiler.ts';
import { rawKey } from './steps.ts';

/** With the text of the source as a column of its own. */
function withText(input: string, source: Sql, compiler: PlanCompiler): { from: string; text: Sql } {
  return withValue(input, toText(source, compiler.writer()), compiler);
}

function withValue(input: string, { text, type }: Sql, compiler: PlanCompiler): { from: string; text: Sql } {
  const name = compiler.name('text');
  return { from: `(select *, ${text} as ${name} from (${input}))`, text: { text: name, type, isPlain: true } };
}

export function rexSql({ input, source, pattern, groups, rows }: Rex, compiler: PlanCompiler): string {
  const below = compiler.node(input);
  const read = groups.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0) return below;
  const { from, text } = withText(below, compiler.expression(source), compiler);
  const places = regexOf(pattern).namedGroups();
  if (isForHost(pattern)) return capturedByHost({ from, text, read, places, pattern, rows }, compiler);
  const regex = spelled(namedGroupsRewritten(pattern));
  const searched = spelled(searchedPattern(pattern));
  const last = Math.max(...read.map(({ group }) => places[group] ?? 0));
  const names = Array.from({ length: last }, (_, index) => `'g${index + 1}'`).join(', ');
  const found = compiler.name('found');
  const computed = new Map<ColumnId, string>();
  for (const { group, column, before } of read) {
    const old = compiler.expression(before);
    const part = `struct_extract(${found}, 'g${places[group] ?? 0}')`;
    const made = (value: string) => compiler.converted({ text: value, type: 'string' }, column.type);
    // Where nothing was there before, a group that did not match and a text that did not are alike; else few rows are left
    // to be asked which of both it is.
    const kept = `case when ${part} <> '' then ${made(part)} when regexp_matches(${text.text}, ${searched}) then null
      else ${compiler.converted(old, column.type)} end`;
    computed.set(column.id, old.type === 'null' ? made(`nullif(${part}, '')`) : kept);
  }
  const groupsFound = `regexp_extract(${text.text}, ${regex}, [${names}]) as ${found}`;
  return compiler.select(rows, { from: `(select *, ${groupsFound} from ${from})`, computed });
}

interface Captured extends Pick<Rex, 'pattern' | 'rows'> {
  readonly from: string;
  readonly text: Sql;
  readonly read: Rex['groups'];
  readonly places: Readonly<Record<string, number>>;
}

/** A list of captures, null where nothing matches. */
function capturedByHost({ from, text, read, places, pattern, rows }: Captured, compiler: PlanCompiler): string {
  const found = compiler.name('found');
  const list = compiler.writer().host('groups', [text, compiler.bind(pattern)], 'list').text;
  const computed = read.map(({ group, column, before }) => {
    const part = `${found}->>${(places[group] ?? 1) - 1}`;
    const made = compiler.converted({ text: part, type: 'string' }, column.type);
    const old = compiler.converted(compiler.expression(before), column.type);
    return [column.id, `case when ${found} is not null then ${made} else ${old} end`] as const;
  });
  return compiler.select(rows, { from: `(select *, ${list} as ${found} from ${from})`, computed: new Map(computed) });
}

/** All groups are found at once only by a pattern that is no parameter: it is spelled in hexadecimal digits. */
const spelled = (pattern: string): string => `decode(unhex('${Buffer.from(pattern).toString('hex')}'))`;

export function parseBetweenSql({ input, source, pairs, rows }: ParseBetween, compiler: PlanCompiler): string {
  const below = compiler.node(input);
  const read = pairs.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0) return below;
  const { from, text } = withText(below, compiler.expression(source), compiler);
  const computed = new Map<ColumnId, string>();
  for (const { start, stop, column, before } of read) {
    const between = compiler.converted({ text: betweenSql(text, start, stop, compiler), type: 'string' }, column.type);
    computed.set(column.id, `coalesce(${between}, ${compiler.converted(compiler.expression(before), column.type)})`);
  }
  return compiler.select(rows, { from, computed });
}

/** Null where the pair does not fit. */
function betweenSql({ text }: Sql, start: string, stop: string, compiler: PlanCompiler): string {
  const writer = compiler.writer();
  const [first, last] = [compiler.bind(start).text, compiler.bind(stop).text];
  const rest =
    start === ''
      ? text
      : `case when contains(${text}, ${first}) then substr(${text}, instr(${text}, ${first}) + length(${first})) end`;
  if (stop === '') return rest;
  return writer.once(
    [{ text: rest, type: 'string' }],
    (r) => `case when contains(${r}, ${last}) then left(${r}, instr(${r}, ${last}) - 1) end`,
  );
}

export function parseFieldsSql(node: ParseFields, compiler: PlanCompiler): string {
  const { method, source } = node;
  const about = { field: source.kind === 'field' ? source.name : '', zone: compiler.around.run.zone };
  const parse = ([value = null]: readonly Value[]): Value => parsedValue(value, method, about) ?? null;
  return parsedSql(node, parse, compiler);
}

export function parserSql(node: ParserRun, compiler: PlanCompiler): string {
  return parsedSql(node, parserOnHost(node.body, compiler.around), compiler);
}

/** What the host has parsed is a map, null where nothing could be read; from it fields and the new overflow are taken. */
function parsedSql(
  node: ParseFields | ParserRun,
  parse: (values: readonly Value[]) => Value,
  compiler: PlanCompiler,
): string {
  const { input, source, overlay, fields, overflow, rows } = node;
  const below = compiler.node(input);
  const read = fields.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0 && !compiler.isRead(overflow)) return below;
  const given = compiler.expression(source);
  const isMap = node.kind === 'parse-fields' && node.method.format === 'map';
  const { from, text } = isMap
    ? withValue(below, toAny(given, compiler.writer()), compiler)
    : withText(below, given, compiler);
  const parsed = compiler.name('parsed');
  const host = onHost(parse, [text], { type: 'map', compiler }).text;
  // Only maps need to be taken to the host.
  const made = isMap ? `case when vigil_is_map(${text.text}) then ${host} end` : host;
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

function newOverflow({ input, overlay }: ParseFields | ParserRun, parsed: Sql, compiler: PlanCompiler): string {
  const { overflow } = input.rows;
  if (!overflow) return parsed.text;
  const old = strippedOverflow(overflow, compiler);
  if (!overlay) return `coalesce(${parsed.text}, ${old.text})`;
  const writer = compiler.writer();
  return writer.once([old], (o = '') => {
    const below = toAny({ ...old, text: o, isPlain: true }, writer);
    const both = onHost(laidOver, [below, parsed], { type: 'map', compiler }).text;
    return `case when ${o} is null then ${parsed.text} when ${parsed.text} is null then ${o} else ${both} end`;
  });
}
