// The list of commands, in the order of the reference, and the names that are reserved for later.

import type { CommandDeclaration } from '#query/planning/command.ts';
import { bin } from './bin.ts';
import { boxplot } from './boxplot.ts';
import { bypass } from './bypass.ts';
import { correlation } from './correlation.ts';
import { csvfile } from './csvfile.ts';
import { dblookup } from './dblookup.ts';
import { dboutput } from './dboutput.ts';
import { dbquery } from './dbquery.ts';
import { dedup } from './dedup.ts';
import { drop } from './drop.ts';
import { evaluate } from './eval.ts';
import { evalc } from './evalc.ts';
import { eventstats } from './eventstats.ts';
import { explode } from './explode.ts';
import { fields } from './fields.ts';
import { fillnull } from './fillnull.ts';
import { fulltext } from './fulltext.ts';
import { importing } from './import.ts';
import { join } from './join.ts';
import { json } from './json.ts';
import { jsonfile } from './jsonfile.ts';
import { limit } from './limit.ts';
import { linearreg } from './linearreg.ts';
import { lookup } from './lookup.ts';
import { lookuptable } from './lookuptable.ts';
import { matchblackip } from './matchblackip.ts';
import { matchnet } from './matchnet.ts';
import { matchport } from './matchport.ts';
import { memlookup } from './memlookup.ts';
import { order } from './order.ts';
import { outlier } from './outlier.ts';
import { outputcsv } from './outputcsv.ts';
import { outputjson } from './outputjson.ts';
import { outputlookup } from './outputlookup.ts';
import { outputtxt } from './outputtxt.ts';
import { parse } from './parse.ts';
import { parsecsv } from './parsecsv.ts';
import { parsejson } from './parsejson.ts';
import { parsekv } from './parsekv.ts';
import { parsemap } from './parsemap.ts';
import { parsexml } from './parsexml.ts';
import { pivot } from './pivot.ts';
import { prev } from './prev.ts';
import { proc } from './proc.ts';
import { remote } from './remote.ts';
import { rename } from './rename.ts';
import { repeat } from './repeat.ts';
import { rex } from './rex.ts';
import { cube, rollup } from './rollup.ts';
import { search } from './search.ts';
import { parallel, serial } from './serial.ts';
import { set } from './set.ts';
import { setq } from './setq.ts';
import { signature } from './signature.ts';
import { sort } from './sort.ts';
import { stats } from './stats.ts';
import { streamstats } from './streamstats.ts';
import { system } from './system.ts';
import { table } from './table.ts';
import { textfile } from './textfile.ts';
import { timechart } from './timechart.ts';
import { tojson } from './tojson.ts';
import { rare, top } from './top.ts';
import { union } from './union.ts';
import { wget } from './wget.ts';
import { zipfile } from './zipfile.ts';

export const commands: readonly CommandDeclaration[] = [
  table,
  fulltext,
  json,
  proc,
  system,
  search,
  fields,
  evaluate,
  rename,
  order,
  rex,
  parsejson,
  parsekv,
  parsecsv,
  parse,
  explode,
  lookup,
  matchnet,
  fillnull,
  bin,
  repeat,
  tojson,
  bypass,
  drop,
  stats,
  eventstats,
  timechart,
  pivot,
  sort,
  limit,
  dedup,
  top,
  rare,
  join,
  union,
  set,
  setq,
  importing,
  cube,
  lookuptable,
  matchblackip,
  matchport,
  memlookup,
  parsemap,
  prev,
  rollup,
  signature,
  streamstats,
  remote,
  parsexml,
  evalc,
  serial,
  parallel,
  outputcsv,
  outputjson,
  outputtxt,
  outputlookup,
  dbquery,
  dblookup,
  dboutput,
  wget,
  csvfile,
  jsonfile,
  textfile,
  zipfile,
  boxplot,
  correlation,
  linearreg,
  outlier,
];

const byName = new Map(commands.map((one) => [one.name, one]));

export const commandNamed = (name: string): CommandDeclaration | undefined => byName.get(name);

export const commandsOf = (kind: CommandDeclaration['class']): CommandDeclaration[] =>
  commands.filter((one) => one.class === kind);

export const knownCommands = (): string[] => [...byName.keys()];
