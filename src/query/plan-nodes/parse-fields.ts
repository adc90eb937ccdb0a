// parsejson, parsekv, parsecsv, parsexml, parsemap: all fields that a value holds.

import type { Value } from '#query/model/values.ts';
import type { Row } from '#query/rows/row.ts';
import { type ParseMethod, parsedValue } from '#query/values/formats/parsed-text.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { type ParsedFields, parsedRow, parsedSql, readParsed } from './shared/parsed-fields.ts';
import type { RowScope } from './shared/row-scope.ts';

export interface ParseFields extends ParsedFields {
  readonly kind: 'parse-fields';
  readonly method: ParseMethod;
}

export const parseFields: PlanNodeDeclaration<ParseFields> = {
  kind: 'parse-fields',
  takes: 'each',
  expressions: ({ source }) => [source],
  makes: nothing,
  reads: readParsed,
  pushdown: 'lost',
  counts: 'as-input',

  sql(node, compiler) {
    const { method } = node;
    const about = { field: fieldOf(node), zone: compiler.context.run.zone };
    const parse = ([value = null]: readonly Value[]): Value => parsedValue(value, method, about) ?? null;
    return parsedSql(node, { parse, ofMaps: method.format === 'map', method }, compiler);
  },

  local: {
    begins: (_, isInThreads) => isInThreads,
    row: (node, scope) => parsedRow(node, scope, parsing(node, scope)),
  },
};

const fieldOf = ({ source }: ParseFields): string => (source.kind === 'field' ? source.name : '');

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
const PARSING_WEIGHTS: Readonly<Record<ParseMethod['format'], number>> = {
  json: 5,
  xml: 8,
  kv: 5,
  csv: 5,
  map: 1,
  regex: 1,
  syslog: 5,
  text: 1,
};
