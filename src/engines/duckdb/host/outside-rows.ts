// Rows that are made outside of the process, or with values from there: databases of connection profiles. They are asked for on
// the main thread, some at a time, and go on as texts like rows of a statement.

import type { DatabaseAnswers, RunDatabases } from '#engines/plan-run.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { DatabaseLookup } from '#query/nodes/dblookup.ts';
import type { DatabaseRows } from '#query/nodes/dbquery.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import type { Row } from '#query/rows/row.ts';
import { hostLineOf, hostRowOf } from '#query/rows/row-texts.ts';
import { laidOver } from '#query/values/parsed-text.ts';

interface OutsideRowsDeps {
  readonly databases?: RunDatabases;
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

async function* rowsOf(node: DatabaseRows, batches: AsyncGenerator<readonly MapValue[]>): AsyncGenerator<TextBatch> {
  const { rows, sequence } = node;
  let place = 0n;
  for await (const batch of batches) {
    const texts = batch.map((fields) => {
      const row: Row = [];
      if (rows.overflow) row[rows.overflow.id] = fields;
      row[sequence] = place;
      place += 1n;
      return textOf(row, node);
    });
    yield { texts };
    await eventLoop.nextSlot();
  }
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
