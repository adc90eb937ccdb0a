// Which file compiles which node.

import { pivotSql, timechartSql } from './charts.ts';
import { eventstatsSql, statsSql, topSql } from './groups.ts';
import { geoipSql, lookupSql, lookuptableSql } from './lookups.ts';
import { joinSql, unionSql } from './merges.ts';
import { parseBetweenSql, parseFieldsSql, parserSql, rexSql } from './parses.ts';
import { dedupSql, limitSql, sortSql } from './picks.ts';
import type { PlanNode } from './plan.ts';
import { rollupSql } from './rollups.ts';
import { fulltextSql, jsonSql, systemSql, tableSql } from './sources.ts';
import type { PlanCompiler } from './sql-compiler.ts';
import { binSql, explodeSql, filterSql, matchnetSql, projectSql, repeatSql, tojsonSql } from './steps.ts';
import { prevSql, streamstatsSql } from './windows.ts';

type Compile<K> = (node: Extract<PlanNode, { kind: K }>, compiler: PlanCompiler) => string;

const COMPILES: { readonly [K in PlanNode['kind']]: Compile<K> } = {
  table: tableSql,
  fulltext: fulltextSql,
  json: jsonSql,
  system: systemSql,
  proc: ({ body }, compiler) => compiler.node(body.result),
  remote: ({ right }, compiler) => compiler.node(right.result),
  window: ({ command }) => notHere(command),
  evalc: ({ command }) => notHere(command),
  filter: filterSql,
  project: projectSql,
  rex: rexSql,
  parse: parseBetweenSql,
  'parse-fields': parseFieldsSql,
  parser: parserSql,
  given() {
    throw new Error('records from outside are not read by a statement');
  },
  explode: explodeSql,
  lookup: lookupSql,
  lookuptable: lookuptableSql,
  geoip: geoipSql,
  matchnet: matchnetSql,
  bin: binSql,
  repeat: repeatSql,
  tojson: tojsonSql,
  pass: ({ input }, compiler) => compiler.node(input),
  memlookup: ({ input }, compiler) => compiler.node(input),
  'memlookup-drop': () => 'select 1 as nothing where false',
  block: ({ input }, compiler) => compiler.node(input),
  // The rows of a sink are stored by its caller, who makes a stage of its input.
  import: ({ input }, compiler) => compiler.node(input),
  output: ({ input }, compiler) => compiler.node(input),
  drop: ({ input, rows }, compiler) =>
    compiler.select(rows, { from: `(${compiler.node(input)})`, tail: 'where false' }),
  stats: statsSql,
  eventstats: eventstatsSql,
  streamstats: streamstatsSql,
  prev: prevSql,
  rollup: rollupSql,
  timechart: timechartSql,
  pivot: pivotSql,
  sort: sortSql,
  limit: limitSql,
  dedup: dedupSql,
  top: topSql,
  join: joinSql,
  union: unionSql,
};

/** What runs in the host is a stage before any statement reads of it. */
function notHere(command: string): never {
  throw new Error(`${command} is no part of a statement`);
}

export const nodeSql = (node: PlanNode, compiler: PlanCompiler): string =>
  (COMPILES[node.kind] as Compile<PlanNode['kind']>)(node as never, compiler); // The kind has chosen it.
