// All kinds of plan nodes.

import { bin } from './bin.ts';
import { block } from './block.ts';
import { correlation } from './correlation.ts';
import { dblookup } from './dblookup.ts';
import { dboutput } from './dboutput.ts';
import { dbquery } from './dbquery.ts';
import { dedup } from './dedup.ts';
import { drop } from './drop.ts';
import { evalc } from './evalc.ts';
import { eventstats } from './eventstats.ts';
import { explode } from './explode.ts';
import { facets } from './facets.ts';
import { files } from './files.ts';
import { filter } from './filter.ts';
import { fulltext } from './fulltext.ts';
import { geoip } from './geoip.ts';
import { given } from './given.ts';
import { importPlanNode } from './import.ts';
import { join } from './join.ts';
import { json } from './json.ts';
import { limit } from './limit.ts';
import { lookup } from './lookup.ts';
import { lookuptable } from './lookuptable.ts';
import { matchnet } from './matchnet.ts';
import { memlookup } from './memlookup.ts';
import { memlookupDrop } from './memlookup-drop.ts';
import { output } from './output.ts';
import { outputlookup } from './outputlookup.ts';
import { parse } from './parse.ts';
import { parseFields } from './parse-fields.ts';
import { parser } from './parser.ts';
import { pass } from './pass.ts';
import { pivot } from './pivot.ts';
import { prev } from './prev.ts';
import { proc } from './proc.ts';
import { project } from './project.ts';
import { remote } from './remote.ts';
import { remoteRows } from './remote-rows.ts';
import { repeat } from './repeat.ts';
import { rex } from './rex.ts';
import { rollup } from './rollup.ts';
import { sort } from './sort.ts';
import { stats } from './stats.ts';
import { streamstats } from './streamstats.ts';
import { system } from './system.ts';
import { table } from './table.ts';
import { timechart } from './timechart.ts';
import { tojson } from './tojson.ts';
import { top } from './top.ts';
import { union } from './union.ts';
import { wget } from './wget.ts';
import { window } from './window.ts';

export const planNodes = {
  bin,
  block,
  correlation,
  dblookup,
  dboutput,
  dbquery,
  dedup,
  drop,
  evalc,
  eventstats,
  explode,
  facets,
  files,
  filter,
  fulltext,
  geoip,
  given,
  import: importPlanNode,
  join,
  json,
  limit,
  lookup,
  lookuptable,
  matchnet,
  memlookup,
  'memlookup-drop': memlookupDrop,
  output,
  outputlookup,
  parse,
  'parse-fields': parseFields,
  parser,
  pass,
  pivot,
  prev,
  proc,
  project,
  remote,
  'remote-rows': remoteRows,
  repeat,
  rex,
  rollup,
  sort,
  stats,
  streamstats,
  system,
  table,
  timechart,
  tojson,
  top,
  union,
  wget,
  window,
};
