// Checking queries in tests: what one is refused with, and what it becomes.

import type { QueryExample } from '#query/model/example.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { QueryContext } from '#query/planning/query-context.ts';
import { type CheckedQuery, checkQuery } from '#query/query.ts';
import { contextOf } from '#test/support/query-examples.ts';

/** A table `t` with some fields, an open one `o`, one `k` with a recorded key, an empty one, and a bit of everything else that a query can name. */
export const WORLD: Partial<QueryExample> = {
  tables: {
    t: [{ a: 1, b: 'x', c: 1.5, line: 'k=v', l: [1], when: '@2026-11-15 09:00:00+0900' }],
    r: [{ a: 1, d: 'y' }],
  },
  lookups: { users: { key: 'user', rows: [{ user: 'kim', dept: 'sec', floor: 3 }] } },
  groups: { '11111111-1111-1111-1111-111111111111': ['10.0.0.0/8'] },
  databases: { db: { t: [{ a: 1 }] } },
  procedures: {
    '1-odd.name': { parameters: {}, query: 'table t' },
    busy: { parameters: { min: 'long' }, query: 'table t | search a >= $("min")' },
    none: { parameters: {}, query: 'json "[]"' },
  },
  constants: { p: 5, word: 'x', nothing: null, secret_key: '0123456789abcdef' },
};

export function world(more: Partial<QueryContext> = {}): QueryContext {
  const context = contextOf(WORLD);
  const open = { name: 'o', columns: [{ name: 'a', type: 'long' as const }], isOpen: true };
  const recorded = { ...open, name: 'k', keys: new Set(['seen']) };
  const empty = { name: 'empty', columns: [], isOpen: false };
  return {
    ...context,
    tables: new Map([...context.tables, ['o', open], ['k', recorded], ['empty', empty]]),
    parsers: new Map([['kv', { kind: 'query', query: 'parsekv' }]]),
    ...more,
  };
}

export const check = (text: string, more: Partial<QueryContext> = {}): CheckedQuery => checkQuery(text, world(more));

export const normalized = (text: string): string => check(text).normalized;

/** The mistake of a query that is refused; throws for any other failure. */
export function queryErrorIn(text: string, context: QueryContext = world()): QueryError | undefined {
  try {
    checkQuery(text, context);
  } catch (failure) {
    if (failure instanceof QueryError) return failure;
    throw failure;
  }
  return undefined;
}

/** `10001 6..9`, or what the query was normalized to where nothing is wrong with it. */
export function outcome(text: string, context: QueryContext = world()): string {
  const mistake = queryErrorIn(text, context);
  return mistake ? `${mistake.code} ${mistake.begin}..${mistake.end}` : checkQuery(text, context).normalized;
}
