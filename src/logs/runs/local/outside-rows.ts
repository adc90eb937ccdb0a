// Rows that are made outside of the process, or with values from there: databases of connection profiles, other nodes. They are
// asked for on the main thread, some at a time, and go on as texts like rows of a statement.

import type { Rows } from '#query/model/columns.ts';
import type { ColumnId } from '#query/model/expression.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { SourceEffect } from '#query/plan-nodes/effect.ts';
import type { EffectServices } from '#query/plan-nodes/kinds.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { Row } from '#query/rows/row.ts';
import { localLineOf, localRowOf } from '#query/rows/row-texts.ts';
import { laidOver } from '#query/values/formats/parsed-text.ts';
import { eventLoop } from '#runtime/event-loop.ts';

type FieldsEffect = Extract<SourceEffect<EffectServices>, { readonly kind: 'fields' }>;

interface AskingRows {
  readonly services: EffectServices;
  readonly signal: AbortSignal;
  /** Rows of the input. */
  readonly texts: AsyncIterable<readonly string[]>;
}

interface TextBatch {
  readonly texts: readonly string[];
}

/** Of rows that ask together. */
const MAX_ASKING_ROWS = 256;

export async function* rowBatches(
  node: PlanNode,
  sequence: ColumnId | undefined,
  batches: AsyncIterable<readonly MapValue[]>,
): AsyncGenerator<TextBatch> {
  let position = 0n;
  for await (const batch of batches) {
    const texts = batch.map((fields) => {
      const row = rowOf(fields, node.rows);
      if (sequence !== undefined) row[sequence] = position;
      position += 1n;
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

export async function* fieldBatches(
  node: PlanNode,
  effect: FieldsEffect,
  { services, signal, texts: rowTexts }: AskingRows,
): AsyncGenerator<TextBatch> {
  const answers = effect.open(services, signal);
  const { rows: given = { columns: [] } } = node.input ?? {};
  for await (const texts of rowTexts) {
    for (let from = 0; from < texts.length; from += MAX_ASKING_ROWS) {
      const rows = texts.slice(from, from + MAX_ASKING_ROWS).map((text) => localRowOf(text, given));
      const asking = rows.filter((row) => effect.bypass === undefined || !isTrue(row[effect.bypass] ?? null));
      const found = await answers.of(asking.map((row) => effect.asked.map((id) => row[id] ?? null)));
      const byRow = new Map(asking.map((row, index) => [row, found[index]]));
      yield { texts: rows.map((row) => textOf(answered(row, byRow.get(row), effect, given), node)) };
      await eventLoop.nextSlot();
    }
  }
}

/** Fields from outside are laid over those of the row. */
function answered(row: Row, found: MapValue | undefined, { fields, overflow }: FieldsEffect, given: Rows): Row {
  for (const { column, before } of fields) {
    row[column.id] = found?.has(column.name) ? (found.get(column.name) ?? null) : (row[before] ?? null);
  }
  const { overflow: old } = given;
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

const textOf = (row: Row, { rows }: PlanNode): string => localLineOf(row, rows).slice(0, -1);
