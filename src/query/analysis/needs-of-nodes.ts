// Which columns each kind of node reads of its input, given which of its own are read.

import { type Expression, someWithin } from '#query/model/expression.ts';
import type {
  Assigned,
  FulltextScan,
  Join,
  ParseFields,
  ParserRun,
  Pivot,
  PlanNode,
  Prev,
  Rollup,
  Stats,
  Streamstats,
  TableScan,
  Timechart,
  ToJson,
  Union,
} from '#query/nodes/plan.ts';
import type { Reading } from './needs.ts';

export function readByNode(node: PlanNode, reading: Reading): void {
  switch (node.kind) {
    case 'filter':
      reading.expression(node.condition);
      if (node.limit !== undefined || isOrdered(node.condition)) reading.order(node.input.rows);
      return;
    case 'project':
      readByProject(node.assigned, node.input, reading);
      return;
    case 'rex':
      readTogether(node.groups, node.source, reading);
      return;
    case 'parse':
      readTogether(node.pairs, node.source, reading);
      return;
    case 'parse-fields':
    case 'parser':
      readByParse(node, reading);
      return;
    case 'explode':
      // Rows are made by it even where nobody reads the elements.
      reading.expression(node.source);
      if (node.before !== undefined) reading.id(node.before);
      return;
    case 'lookup':
    case 'geoip':
      if (!node.outputs.some(({ column }) => reading.isRead(column.id))) return;
      reading.expression(node.key);
      if (node.kind === 'lookup' && node.built) reading.wholeRows(node.built.records.rows);
      return;
    case 'matchnet':
      if (!node.tag || reading.isRead(node.tag.id)) reading.expression(node.source);
      return;
    case 'bin':
      if (reading.isRead(node.column.id)) reading.expression(node.source);
      return;
    case 'tojson':
      readByToJson(node, reading);
      return;
    case 'import':
    case 'output':
      reading.wholeRows(node.input.rows);
      return;
    case 'evalc':
      // All of them are evaluated for every row, whoever reads them.
      for (const { value } of node.assigned) reading.expression(value);
      reading.order(node.input.rows);
      return;
    case 'table':
      readByCut(node, reading);
      return;
    case 'fulltext':
      reading.text(node.condition, node.rows);
      readByCut(node, reading);
      return;
    default:
      readByGroups(node, reading);
      return;
  }
}

/** Which rows are the first depends on their order. */
function readByCut({ limit, offset, rows }: TableScan | FulltextScan, reading: Reading): void {
  if (limit !== undefined || offset > 0n) reading.order(rows);
}

function readByGroups(node: PlanNode, reading: Reading): void {
  switch (node.kind) {
    case 'stats':
    case 'eventstats':
    case 'rollup':
      readByStats(node, reading);
      return;
    case 'streamstats':
      readByStats(node, reading);
      if ([node.sequence, ...node.aggregates.map(({ column }) => column.id)].some((id) => reading.isRead(id))) {
        reading.order(node.input.rows);
      }
      return;
    case 'prev':
      readByPrev(node, reading);
      return;
    case 'timechart':
    case 'pivot':
      readByChart(node, reading);
      return;
    case 'sort':
      for (const { column, value } of [...node.by, ...node.keys]) {
        if (node.limit !== undefined || reading.isRead(column.id)) reading.expression(value);
      }
      if (node.limit !== undefined) reading.order(node.input.rows);
      return;
    case 'limit':
      reading.order(node.input.rows);
      return;
    case 'dedup':
      for (const key of node.keys) reading.expression(key);
      reading.order(node.input.rows);
      return;
    case 'top':
      for (const { value } of [...node.by, ...node.names]) reading.expression(value);
      return;
    case 'join':
    case 'union':
      readByMerge(node, reading);
      return;
    default:
      return;
  }
}

/** From the last to the first, because later ones read earlier ones. */
function readByProject(assigned: readonly Assigned[], input: PlanNode, reading: Reading): void {
  for (const { column, value } of assigned.toReversed()) {
    if (!reading.isRead(column.id)) continue;
    reading.expression(value);
    if (isOrdered(value)) reading.order(input.rows);
  }
}

interface Made {
  readonly column: { readonly id: number };
  readonly before: Expression;
}

function readTogether(made: readonly Made[], source: Expression, reading: Reading): void {
  const read = made.filter(({ column }) => reading.isRead(column.id));
  for (const { before } of read) reading.expression(before);
  if (read.length > 0) reading.expression(source);
}

/** A row that cannot be parsed passes as it came, so with `overlay` or without what was there before may be read. */
function readByParse(node: ParseFields | ParserRun, reading: Reading): void {
  readTogether(node.fields, node.source, reading);
  if (!reading.isOverflowRead(node.overflow)) return;
  reading.expression(node.source);
  reading.overflowFrom(node.overflow, node.input.rows.overflow);
}

function readByToJson({ column, fields, input }: ToJson, reading: Reading): void {
  if (!reading.isRead(column.id)) return;
  if (!fields) {
    const { order: _, ...rows } = input.rows;
    reading.wholeRows(rows);
  }
  for (const { value } of fields ?? []) reading.expression(value);
}

function readByPrev({ fields, sequence, input }: Prev, reading: Reading): void {
  const read = fields.filter(({ column }) => reading.isRead(column.id));
  for (const { value } of read) reading.expression(value);
  if (read.length > 0 || reading.isRead(sequence)) reading.order(input.rows);
}

/** Those that make a row per group need its keys whatever is read of it. */
const MAKES_GROUPS: readonly PlanNode['kind'][] = ['stats', 'rollup'];

function readByStats(node: Stats | Streamstats | Rollup, reading: Reading): void {
  const { kind, by, input } = node;
  const read = node.aggregates.filter(({ column }) => reading.isRead(column.id));
  if (MAKES_GROUPS.includes(kind) || read.length > 0) for (const { value } of by) reading.expression(value);
  for (const { call } of read) {
    for (const arg of call.args) reading.expression(arg);
    if (call.called.ordered || call.args.some(isOrdered)) reading.order(input.rows);
  }
}

function readByChart(node: Timechart | Pivot, reading: Reading): void {
  const keys =
    node.kind === 'pivot'
      ? [...node.rowFields.map(({ value }) => value), ...node.cols]
      : [node.time, ...(node.by ? [node.by] : [])];
  for (const key of keys) reading.expression(key);
  const columns = node.kind === 'timechart' && !node.by ? node.columns : undefined;
  node.aggregates.forEach(({ call }, index) => {
    const column = columns?.[index];
    if (column && !reading.isRead(column.id)) return;
    for (const arg of call.args) reading.expression(arg);
    if (call.called.ordered || call.args.some(isOrdered)) reading.order(node.input.rows);
  });
}

function readByMerge(node: Join | Union, reading: Reading): void {
  for (const { column, left, right } of node.merged) {
    if (!reading.isRead(column.id)) continue;
    if (left) reading.expression(left);
    if (right) reading.expression(right);
  }
  if (node.overflow) {
    reading.overflowFrom(node.overflow.id, node.overflow.left);
    reading.overflowFrom(node.overflow.id, node.overflow.right);
  }
  if (node.kind === 'union') return;
  for (const { left, right } of node.keys) {
    reading.expression(left);
    reading.expression(right);
  }
}

const isOrdered = (expression: Expression) =>
  someWithin(expression, (inner) => inner.kind === 'call' && inner.called.ordered === true);
