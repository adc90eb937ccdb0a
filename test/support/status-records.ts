// The query status record as it is published: which fields there are, and of which type.

import { expect } from 'vitest';
import { NODE_NAMES } from '#test/support/balanced-nodes.ts';
import type { Status } from '#test/support/queries.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isMap: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isInt32: Check = (value) => isCount(value) && Number(value) < 2 ** 31;

const FIELDS: Readonly<Record<string, Check>> = {
  id: isInt32,
  source: isText,
  login_name: isText,
  remote_ip: isText,
  rows: isCount,
  elapsed: isCount,
  is_finished: isFlag,
  is_cancelled: isFlag,
  is_scheduled_query: isFlag,
  constants: isMap,
  query_string: isText,
  start_time: isCount,
  finish_time: isCount,
  last_started: (value) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4}$/.test(String(value)),
  background: isFlag,
  commands: Array.isArray,
  sub_queries: Array.isArray,
  stamp: isInt32,
  tags: isMap,
};

/** Present only where there is something to tell. */
const OF_FAILURES = ['error_code', 'error_detail', 'cancel_reason'];
const OF_WARNINGS = ['warnings', 'notices', 'hints'];
const REASONS = ['UserRequest', 'CommandFailure', 'LowDisk', 'NetworkFailure', 'Interrupted'];
export const STEPS = ['Waiting', 'Running', 'Finalizing', 'End'];

/** A record of the list of queries, which also names the node. */
export function expectListed({ node, ...status }: Status): void {
  expect(NODE_NAMES).toContain(node);
  expectRecord(status);
}

/** The whole shape, whatever state the query is in. */
export function expectRecord(status: Status): void {
  const missing = Object.keys(FIELDS).filter((name) => !Object.hasOwn(status, name));
  expect(missing, 'missing fields').toEqual([]);
  const wrong = Object.entries(FIELDS).filter(([name, isRight]) => !isRight(status[name]));
  expect(
    wrong.map(([name]) => [name, status[name]]),
    'fields of a wrong type',
  ).toEqual([]);
  const known = [...Object.keys(FIELDS), ...OF_FAILURES, ...OF_WARNINGS];
  expect(
    Object.keys(status).filter((name) => !known.includes(name)),
    'unpublished fields',
  ).toEqual([]);
  for (const command of status.commands) expectCommand(command, ['command', 'push_count', 'status']);
  for (const sub of status.sub_queries) expectSubquery(sub);
  if ('warnings' in status) expect([status.warnings.length > 0, status.warnings.every(isText)]).toEqual([true, true]);
  if ('cancel_reason' in status) expect(REASONS).toContain(status.cancel_reason);
  expectConsistent(status);
}

function expectCommand(command: Status, names: readonly string[]): void {
  expect(Object.keys(command).sort()).toEqual(names);
  expect([isText(command.command), isCount(command.push_count)]).toEqual([true, true]);
  expect(STEPS).toContain(command.status);
}

function expectSubquery(sub: Status): void {
  expect(Object.keys(sub).sort()).toEqual(['commands', 'id']);
  expect(isInt32(sub.id)).toBe(true);
  expect(sub.commands.map(({ name }: Status) => name)).toEqual([...sub.commands.keys()]);
  for (const command of sub.commands) expectCommand(command, ['command', 'name', 'push_count', 'status']);
}

/** What must hold between the fields, at any time. */
function expectConsistent(status: Status): void {
  const { is_finished, is_cancelled, finish_time, start_time, commands, sub_queries } = status;
  expect(finish_time === 0, 'finish_time is 0 until the end').toBe(!is_finished);
  if (is_finished) expect(finish_time).toBeGreaterThanOrEqual(start_time);
  expect(Math.floor(start_time / 1000) * 1000, 'last_started is start_time').toBe(momentOf(status.last_started));
  const present = OF_FAILURES.filter((name) => name in status);
  if (!is_cancelled) expect(present, 'nothing has failed').toEqual([]);
  if (!is_finished) return;
  const all = [...commands, ...sub_queries.flatMap((sub: Status) => sub.commands)];
  expect(new Set(all.map((command: Status) => command.status))).toEqual(new Set(['End']));
  expect(commands.at(-1).push_count, 'the last push_count is rows').toBe(status.rows);
  if (is_cancelled) expect(present).toContain('cancel_reason');
}

export const momentOf = (text: string): number => Date.parse(text.replace(' ', 'T').replace(/(\d\d)$/, ':$1'));

const commandsOf = ({ commands, sub_queries }: Status): Status[] => [
  ...commands,
  ...sub_queries.flatMap((sub: Status) => sub.commands),
];

/** Statuses of one query, in the order in which they were answered: nothing goes back. */
export function expectForward(seen: readonly Status[]): void {
  for (const [index, status] of seen.entries()) {
    expectRecord(status);
    const before = seen[index - 1];
    if (!before) continue;
    expect(status.stamp).toBeGreaterThan(before.stamp);
    expect(status.rows).toBeGreaterThanOrEqual(before.rows);
    expect(status.is_finished || !before.is_finished).toBe(true);
    expect(status.is_cancelled || !before.is_cancelled).toBe(true);
    expect(commandsOf(status).map(({ command }) => command)).toEqual(commandsOf(before).map(({ command }) => command));
    for (const [at, command] of commandsOf(status).entries()) {
      const earlier = commandsOf(before)[at];
      expect(command.push_count).toBeGreaterThanOrEqual(earlier.push_count);
      expect(STEPS.indexOf(command.status)).toBeGreaterThanOrEqual(STEPS.indexOf(earlier.status));
    }
  }
}
