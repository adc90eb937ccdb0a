// parsejson, parsekv, parsecsv, parsexml, parsemap: all fields that a value holds.

import type { MapValue, Value } from '#query/model/values.ts';
import { overflowOf, type Row } from '#query/rows/row.ts';
import { LaidOverMap } from '#query/values/laid-over-map.ts';
import { type ParseMethod, parsedValue } from '#query/values/parsed-text.ts';
import { type NodeDeclaration, nothing } from './node.ts';
import { type ParsedFields, parsedSql, readParsed } from './shared/parsed-fields.ts';
import { FIELD_WEIGHT, type RowScope } from './shared/row-scope.ts';

export interface ParseFields extends ParsedFields {
  readonly kind: 'parse-fields';
  readonly method: ParseMethod;
}

export const parseFields: NodeDeclaration<ParseFields> = {
  kind: 'parse-fields',
  takes: 'each',
  expressions: ({ source }) => [source],
  makes: nothing,
  reads: readParsed,
  bounds: 'lost',
  counts: 'as-input',

  sql(node, compiler) {
    const { method } = node;
    const about = { field: fieldOf(node), zone: compiler.context.run.zone };
    const parse = ([value = null]: readonly Value[]): Value => parsedValue(value, method, about) ?? null;
    return parsedSql(node, { parse, ofMaps: method.format === 'map', method }, compiler);
  },

  host: { begins: (_, isInThreads) => isInThreads, row },
};

const NO_FIELDS: MapValue = new Map();

const fieldOf = ({ source }: ParseFields): string => (source.kind === 'field' ? source.name : '');

function row(node: ParseFields, scope: RowScope<Row>): (row: Row) => boolean {
  const { overlay, overflow, input } = node;
  const { meter } = scope;
  const parse = parsing(node, scope);
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

function parsing(node: ParseFields, scope: RowScope<Row>) {
  const { source, method } = node;
  const { meter } = scope;
  const value = scope.value(source);
  const about = { field: fieldOf(node), zone: scope.run.zone, meter };
  const weight = 'flatten' in method && method.flatten ? FLATTENING_WEIGHT : PARSING_WEIGHTS[method.format];
  return scope.lenient((one: Row) => {
    const given = value(one);
    meter.take(1);
    meter.takeDeep(given, weight);
    const made = parsedValue(given, method, about);
    // The weight of a text covers the fields that are made of it.
    if (made && !meter.isWeighed) meter.takeDeep(made);
    return made;
  }, undefined);
}

/** Flattening may make a field with a name of its own of each element. */
const FLATTENING_WEIGHT = 32;
/** Of 64 characters that are parsed. */
const PARSING_WEIGHTS: Readonly<Record<ParseMethod['format'], number>> = { json: 5, xml: 8, kv: 5, csv: 5, map: 1 };
