// Rows that are made outside of the process, or with values from there: databases of connection profiles, other nodes. They are
// asked for on the main thread, some at a time, and go on as texts like rows of a statement.

import type { DatabaseAnswers, RunDatabases, RunRemotes } from '#logs/run.ts';
import type { Rows } from '#query/model/columns.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { DatabaseLookup } from '#query/nodes/dblookup.ts';
import type { DatabaseRows } from '#query/nodes/dbquery.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import type { RemoteRows } from '#query/nodes/remote-rows.ts';
import type { Row } from '#query/rows/row.ts';
import { hostLineOf, hostRowOf } from '#query/rows/row-texts.ts';
import { laidOver } from '#query/values/parsed-text.ts';
import { eventLoop } from '#runtime/event-loop.ts';

interface OutsideRowsDeps {
  readonly databases?: RunDatabases;
  readonly remotes?: RunRemotes;
  readonly signal: AbortSignal;
  inputTexts(node: PlanNode): AsyncGenerator<readonly string[]>;
}

interface TextBatch {
  readonly texts: readonly string[];
}

/** Of rows that ask together. */
const MAX_ASKING_ROWS = 256;

export async function* outsideBatches(
  node: DatabaseRows | DatabaseLookup,
  deps: OutsideRowsDeps,
): AsyncGenerator<TextBatch> {
  const { databases, signal } = deps;
  if (!databases) throw new Error('the run has no databases');
  if ('asked' in node) yield* answeredRows(node, databases.lookup(node, signal), deps);
  else yield* rowsOf(node, databases.rows(node, signal));
}

export async function* remoteBatches(node: RemoteRows, deps: OutsideRowsDeps): AsyncGenerator<TextBatch> {
  const { remotes, signal } = deps;
  if (!remotes) throw new Error('the run asks no other node');
  yield* rowsOf(node, remotes.rows(node, signal));
}

async function* rowsOf(
  node: DatabaseRows | RemoteRows,
  batches: AsyncGenerator<readonly MapValue[]>,
): AsyncGenerator<TextBatch> {
  let place = 0n;
  for await (const batch of batches) {
    const texts = batch.map((fields) => {
      const row = rowOf(fields, node.rows);
      row[node.sequence] = place;
      place += 1n;
      return textOf(row, node);
    });
    yield { texts };
    await eventLoop.nextSlot();
  }
}

/** Fields without a column are in the overflow. */
function rowOf(fields: MapValue, { columns, overflow }: Rows): Row {
  const row: Row = [];
  if (columns.length === 0) {
    if (overflow) row[overflow.id] = fields;
    return row;
  }
  const rest = new Map(fields);
  for (const { id, name } of columns) {
    row[id] = rest.get(name) ?? null;
    rest.delete(name);
  }
  if (overflow) row[overflow.id] = rest;
  return row;
}

async function* answeredRows(
  node: DatabaseLookup,
  answers: DatabaseAnswers,
  { inputTexts }: OutsideRowsDeps,
): AsyncGenerator<TextBatch> {
  for await (const texts of inputTexts(node.input)) {
    for (let from = 0; from < texts.length; from += MAX_ASKING_ROWS) {
      const rows = texts.slice(from, from + MAX_ASKING_ROWS).map((text) => hostRowOf(text, node.input.rows));
      const asking = rows.filter((row) => node.bypass === undefined || !isTrue(row[node.bypass] ?? null));
      const found = await answers.of(asking.map((row) => node.asked.map((id) => row[id] ?? null)));
      const byRow = new Map(asking.map((row, index) => [row, found[index]]));
      yield { texts: rows.map((row) => textOf(answered(row, byRow.get(row), node), node)) };
      await eventLoop.nextSlot();
    }
  }
}

/** Fields of the database lie over those of the row. */
function answered(row: Row, found: MapValue | undefined, { fields, overflow, input }: DatabaseLookup): Row {
  for (const { column, before } of fields) {
    row[column.id] = found?.has(column.name) ? (found.get(column.name) ?? null) : (row[before] ?? null);
  }
  const { overflow: old } = input.rows;
  const kept = old ? withoutNames(row[old.id] ?? null, old.without) : null;
  row[overflow] = found ? laidOver([kept, found]) : kept;
  return row;
}

function withoutNames(value: Value, names: readonly string[]): Value {
  if (names.length === 0 || !(value instanceof Map)) return value;
  const dropped = new Set(names);
  return new Map([...value].filter(([name]) => !dropped.has(name)));
}

/** Truth of a condition (4.1). */
const isTrue = (value: Value): boolean => value !== null && value !== false;

const textOf = (row: Row, { rows }: PlanNode): string => hostLineOf(row, rows).slice(0, -1);
