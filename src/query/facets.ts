// The query behind the facets of a table: its rows, commands that look at one row each, and then the most frequent values of
// fields. The last step is no command of the language: it is put behind the text when that has been read.

import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import { commandsOf } from './commands/index.ts';
import { JOINT } from './language/joined-text.ts';
import { type Column, fieldIn, SERVICE_COLUMNS } from './model/columns.ts';
import { QueryErrorList } from './model/query-error.ts';
import { type Procedures, parseText } from './parse.ts';
import { commandsIn } from './pipeline-rules.ts';
import type { FacetColumns, Facets } from './plan-nodes/facets.ts';
import type { CommandDeclaration, ParsedCommand } from './planning/command.ts';
import type { CommandPlanning } from './planning/command-planning.ts';
import { type ReadQuery, readQuery } from './query.ts';

/** Most fields of one request, and fields where it names none. */
export const MAX_FIELDS = 50;

export interface FacetsRequest {
  /** Gives the rows. */
  readonly first: string;
  /** Commands of the class `processing` behind it. */
  readonly rest: string | undefined;
  /** Absent: those that the rows are known to have. */
  readonly fields: readonly string[] | undefined;
  /** Values of each field. */
  readonly limit: number;
  /** Looks at so many rows at most, whichever are there first; absent: at all. */
  readonly sampleRows?: number;
}

const declaration: CommandDeclaration = {
  name: 'facets',
  class: 'transforming',
  syntax: '',
  summary: { en: '', ko: '' },
  errors: [],
  examples: [],
  mayPrecedeDriver: false,
  mayBegin: false,
  mayBuildLookup: false,
  dropsRows: false,
  isEmptyAtBeginning: false,
  optionWords: {},
  options: [],
  // biome-ignore lint/correctness/useYield: it is never called.
  *parse() {
    throw new Error('facets are no command of the language');
  },
};

export function* readFacets(request: FacetsRequest, procedures: Procedures): SlicedWork<ReadQuery> {
  const { first, rest } = request;
  const [lead] = yield* readQuery(first, procedures);
  const errors = new QueryErrorList();
  if (rest === undefined) return [lead, { parsed: closing(request, first.length), errors }];
  // Blanks take the place of the first text, so that positions are those of the joined text.
  const padded = ' '.repeat(first.length + JOINT.length) + rest;
  const parsed = yield* parseText(padded, errors, {
    kind: { only: rowCommands() },
    commandsBefore: commandsIn(lead.parsed.query),
    procedures,
  });
  return [lead, { parsed, errors }, { parsed: closing(request, padded.length), errors: new QueryErrorList() }];
}

const rowCommands = (): string[] => commandsOf('processing').map(({ name }) => name);

/** The step that makes the facets, as a text of one command. */
function closing(request: FacetsRequest, at: number) {
  const span = { begin: at, end: at };
  const command: ParsedCommand = {
    ...span,
    declaration,
    nameSpan: span,
    text: declaration.name,
    subqueries: [],
    isDriver: false,
    changes: false,
    options: [],
    *plan(planning) {
      const text = { ...span, declaration, text: declaration.name };
      return yield* facetsOf(planning.forCommand(text, {}, {}), request);
    },
  };
  return { query: { ...span, commands: [command], lost: [] }, plain: '', warnings: [] };
}

function* facetsOf(
  planning: CommandPlanning<unknown>,
  { fields, limit, sampleRows }: FacetsRequest,
): SlicedWork<Facets> {
  const made = yield* mapSliced(fields ?? namesIn(planning), (name) => {
    const value = fieldIn(planning.rows, name, planning.span);
    return { column: planning.newColumn(name, value.type), value };
  });
  const columns: FacetColumns = {
    position: planning.newColumn('place', 'long'),
    field: planning.newColumn('field', 'string'),
    count: planning.newColumn('count', 'long'),
    distinct: planning.newColumn('distinct', 'long'),
    value: planning.newColumn('value', 'any'),
    rows: planning.newColumn('rows', 'long'),
  };
  const byPosition = { column: columns.position.id, descending: false };
  const byRows = { column: columns.rows.id, descending: true };
  const byValue = { column: columns.value.id, descending: false };
  const listed: readonly Column[] = Object.values(columns);
  const step = planning.step({ columns: listed, order: [byPosition, byRows, byValue] });
  const sampled = sampleRows === undefined ? {} : { sampleRows: BigInt(sampleRows) };
  return { ...step, kind: 'facets', fields: made, limit: BigInt(limit), ...sampled, columns };
}

/** The fields that the rows are known to have, without those of the service. */
const namesIn = ({ rows, span }: CommandPlanning<unknown>): string[] =>
  [...new Set([...rows.columns.map(({ name }) => name), ...(rows.overflow?.keys ?? [])])]
    .filter((name) => !SERVICE_COLUMNS.includes(name) && fieldIn(rows, name, span).source?.kind !== 'absent')
    .slice(0, MAX_FIELDS);
