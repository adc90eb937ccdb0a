// Names use the words of the field. The words below stood in this code and do not come back: each is a metaphor, a riddle
// or a second meaning for a word already taken.

import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { identifiersIn } from '#test/support/identifiers.ts';
import { sourcesIn } from '#test/support/sources.ts';

/** Banned in any name, as one of its words: `isSound`, `SOUND_TEXTS` and `requireSound` all contain `sound`. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['stretch', 'TimeSlice, OffsetPeriod, LocalChain, IdRange, ByteRange'],
  ['stretches', 'slices, periods, segments, ranges'],
  ['breathe', 'yieldIfDue'],
  ['calmly', 'Yielding (forEachYielding)'],
  ['givens', 'rawParams'],
  ['unfold', 'decompress'],
  ['unfolded', 'decompressed'],
  ['sound', 'valid, storable, wellFormed'],
  ['surroundings', 'context'],
  ['circumstances', 'context'],
  ['patience', 'timeout, budget'],
  ['obstacle', 'CollectorError, reason'],
  ['testimony', 'WitnessFile, evidence'],
  ['glance', 'refreshProgress'],
  ['speech', 'Translator'],
  ['wish', 'QueryOptions'],
  ['wishes', 'options'],
  ['doings', 'actors'],
  ['whoever', 'the thing that acts'],
  ['place', 'location (of a table), offset (of bytes), index (of a list), column, position (in a text), slot'],
  ['places', 'locations, offsets, indexes, columns, positions, slots'],
]);

/** Names that stay although they hold a banned word, each with its reason. */
const KEPT: ReadonlyMap<string, string> = new Map([
  ['from_place', 'column of the table table_moves'],
  ['to_place', 'column of the table table_moves'],
  ['RunFailure', 'ends the run of a query, and the other evaluations of its expressions'],
]);

/** Banned in the names of types and classes; in other names they may mean what they say. */
const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['Given', 'RawValue'],
  ['Keeping', 'SegmentStorage'],
  ['Refusal', 'ApiError'],
  ['Mistake', 'QueryError, UsageError'],
  ['Trouble', 'QueryEnd, CollectorError'],
  ['Damage', 'Corruption'],
  ['Hearing', 'ClaimCursor'],
  ['Sight', 'visibleTo'],
  ['Crowded', 'Preempted'],
  ['Beginnings', 'AttemptStartWaiters'],
]);

/** A run is the execution of a query, and a segment a Parquet file: where something else was called so, no type is one. */
const TYPES_IN_FOLDERS: readonly { readonly folders: RegExp; readonly words: ReadonlyMap<string, string> }[] = [
  { folders: /^src\/(ingest|senders|logs\/(lines|parquet))\//, words: new Map([['Run', 'Batch']]) },
  { folders: /^src\/scheduler\//, words: new Map([['Run', 'Attempt']]) },
  {
    folders: /^(console\/src|src\/(query|cli|http|operations|logs\/runs))\//,
    words: new Map([['Segment', 'CommandText (of a query), LocalChain (of a plan)']]),
  },
];

/**
 * A host is a machine and so is a node: what runs in this process is local, and what a plan is made of is a plan node. A variable
 * beside its type `PlanNode` may be called `node`.
 */
const MACHINES_IN_FOLDERS: readonly { readonly folders: RegExp; readonly names: RegExp; readonly say: string }[] = [
  {
    folders: /^src\/(query\/(analysis|functions|local|model|plan-nodes|rows|sql|statements)|logs\/runs)\//,
    names: /(?<![a-z])[Hh]osts?(?![a-z])|(?<![A-Z])HOSTS?(?![A-Z])/,
    say: 'local',
  },
  {
    folders: /^src\/(query\/(analysis|functions|local|plan-nodes|rows|rules|sql|statements)|logs\/runs)\//,
    names: /(?<!\b[pP]lan|Plan|stores)Nodes?(?![a-z])/,
    say: 'PlanNode',
  },
];

/** Members of types that are plan nodes but only say node, found by what is written as their type. */
const PLAN_NODE_MEMBER =
  /^ *(?:readonly )#?nodes?\??: (?!string|boolean|Name\b|Nodes\b|ClusterNode|OwnNode|NodeView|ShownAnswer)/;

/** Banned as a whole name. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['AtWork', 'ExecutionSlots'],
  ['TooHeavy', 'LocalBudgetExceeded'],
  ['around', 'context'],
  ['evenEmpty', 'allowEmpty'],
  ['givenOf', 'parseRawParams'],
  ['inTurns', 'eventLoop.runInSlots'],
  ['isShownAlone', 'onlyInDetail'],
  ['letIn', 'eventLoop.slotAfterAccepts'],
  ['NOTHING_GIVEN', 'NO_PARAMS'],
]);

/** File names, without their ending. */
const FILES: ReadonlyMap<string, string> = new Map([
  ['beginnings', 'attempt-start-waiters'],
  ['few-at-once', 'map-limit'],
  ['once-known', 'plan-until-known'],
  ['pick', 'segment-selection'],
]);

const sources = sourcesIn('src/**/*.ts', 'console/**/*.{ts,tsx}', 'test/**/*.ts', 'bench/**/*.ts', 'bin/*.ts');

describe('Names', () => {
  it('have none of the banned words', () => {
    expect(sources.flatMap(bannedNames)).toEqual([]);
  });

  it.each([
    ['class ApartDucks {}', 'ApartDucks: say instance, DuckDB'],
    ['const duck = open();', 'duck: say instance, DuckDB'],
    ['const LINE_MOST = 9;', 'LINE_MOST: say MAX_…'],
    ['const { isSound } = line;', 'isSound: say valid, storable, wellFormed'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: It is source text.
    ['const text = `a ${soundTexts(`b`)} c`;', 'soundTexts: say valid, storable, wellFormed'],
    ['class A { #stretch = 1 / 2; }', 'stretch: say TimeSlice, OffsetPeriod, LocalChain, IdRange, ByteRange'],
    ['type Refusal = Error;', 'Refusal: say ApiError'],
    ['const PLACES = [];', 'PLACES: say locations, offsets, indexes, columns, positions, slots'],
  ])('are found in %s', (text, complaint) => {
    expect(bannedNames({ path: 'x.ts', text })).toEqual([`x.ts:1 ${complaint}`]);
  });

  it.each([
    ['src/scheduler/slots/slot.ts', 'FailedRun', 'Attempt'],
    ['src/senders/sender.ts', 'FailedRun', 'Batch'],
    ['src/query/parse.ts', 'Segment', 'CommandText (of a query), LocalChain (of a plan)'],
    ['src/query/sql/compiler.ts', 'HostCall', 'local'],
    ['src/query/functions/strings.ts', 'hostLazy', 'local'],
    ['src/query/plan-nodes/kinds.ts', 'KnownNode', 'PlanNode'],
  ])('are those of their folder in %s: %s', (path, name, word) => {
    expect(bannedNames({ path, text: `interface ${name} {}` })).toEqual([`${path}:1 ${name}: say ${word}`]);
  });

  it('are those of plan nodes in members of types', () => {
    const text = 'interface Stage {\n  readonly nodes: readonly PlanNode[];\n  readonly node: string;\n}';
    expect(bannedNames({ path: 'src/logs/stage.ts', text })).toEqual([
      'src/logs/stage.ts:2 readonly nodes: readonly PlanNode[];: say planNode',
    ]);
  });

  it.each([
    '// a stretch of glances',
    "const text = 'glance';",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: It is source text.
    'const text = `glance ${1} stretch`;',
    'const pattern = /glance stretch/;',
    'const connection: DuckDBConnection = duckdb();',
    'const refusal = notFound();',
    'const most = 1;',
    'const { from_place, placeholder } = move;',
  ])('may stand elsewhere: %s', (text) => {
    expect(bannedNames({ path: 'x.ts', text })).toEqual([]);
  });
});

function bannedNames({ path, text }: { readonly path: string; readonly text: string }): string[] {
  const name = basename(path).replace(/(\.test)?\.tsx?$/, '');
  const inPath = FILES.get(name) ?? replacementOfWords(name);
  const inText = identifiersIn(text).flatMap((identifier) => {
    const replacement = replacementIn(identifier.name, path);
    return replacement === undefined ? [] : [`${path}:${identifier.line} ${identifier.name}: say ${replacement}`];
  });
  return [...(inPath === undefined ? [] : [`${path}: say ${inPath}`]), ...inText, ...shortMembers(path, text)];
}

function shortMembers(path: string, text: string): string[] {
  if (!/^src\/(query|queries|logs)\//.test(path)) return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      PLAN_NODE_MEMBER.test(line) ? [`${path}:${index + 1} ${line.trim()}: say planNode`] : [],
    );
}

function replacementIn(name: string, path: string): string | undefined {
  return KEPT.has(name) ? undefined : (replacementOf(name) ?? replacementInFolder(name, path) ?? machineIn(name, path));
}

function replacementOf(name: string): string | undefined {
  if (/^MOST$|^MOST_|_MOST$/.test(name)) return 'MAX_…';
  if (/^LEAST$|^LEAST_|_LEAST$/.test(name)) return 'MIN_…';
  if (/(^d|D)uck(?!D[Bb]|db)/.test(name)) return 'instance, DuckDB';
  return NAMES.get(name) ?? replacementInType(name) ?? replacementOfWords(name);
}

function replacementInType(name: string): string | undefined {
  return isType(name) ? firstOf(wordsOf(name), TYPE_WORDS) : undefined;
}

function replacementInFolder(name: string, path: string): string | undefined {
  if (!isType(name)) return undefined;
  const words = TYPES_IN_FOLDERS.filter(({ folders }) => folders.test(path)).flatMap((found) => [...found.words]);
  return firstOf(wordsOf(name), new Map(words));
}

const machineIn = (name: string, path: string): string | undefined =>
  MACHINES_IN_FOLDERS.find(({ folders, names }) => folders.test(path) && names.test(name))?.say;

const isType = (name: string): boolean => /^[A-Z]/.test(name) && name !== name.toUpperCase();

const replacementOfWords = (name: string): string | undefined =>
  firstOf(
    wordsOf(name).map((word) => word.toLowerCase()),
    WORDS,
  );

const firstOf = (words: readonly string[], replacements: ReadonlyMap<string, string>): string | undefined =>
  words.map((word) => replacements.get(word)).find((replacement) => replacement !== undefined);

/** The words of a name in camelCase, CONSTANT_CASE or kebab-case. */
const wordsOf = (name: string): readonly string[] => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
