// Procedures that are commands (8.5), and what is refused of them.

import type { QueryExample } from '#query/model/example.ts';

const agents = {
  agents: [
    { host: 'a', os: 'linux' },
    { host: 'b', os: 'windows' },
  ],
};
const SENTRY = 'table agents | search isnull($("kind")) or os == $("kind")';
const sentry = { sentry: { parameters: { kind: 'string' as const }, query: SENTRY, isCommand: true as const } };
const confdb = {
  confdb: {
    parameters: { op: 'string' as const, db: 'string' as const, col: 'string' as const },
    query: 'json "{}" | eval asked = concat($("op"), "/", $("db"), "/", $("col"))',
    isCommand: true as const,
  },
};
const sum = {
  sum2: {
    parameters: { n: 'long' as const, at: 'date' as const, on: 'bool' as const },
    query: 'json "{}" | eval n = $("n") + 1, at = $("at"), on = $("on")',
    isCommand: true as const,
  },
};

export const ownCommandExamples: readonly QueryExample[] = [
  {
    tables: agents,
    procedures: sentry,
    query: 'sentry linux | fields host | union [ sentry | stats count ]',
    gives: [{ host: 'a' }, { count: 2 }],
    pushes: [1, 1, 2],
  },
  {
    procedures: confdb,
    query: 'confdb docs "my db" col=x',
    normalized: 'confdb col=x docs "my db"',
    gives: [{ asked: 'docs/my db/x' }],
  },
  {
    procedures: confdb,
    query: 'set db = "d" | confdb docs, $("db"),, "a,b"',
    normalized: 'set db = "d" | confdb docs $("db") "a,b"',
    gives: [{ asked: 'docs/d/a,b' }],
  },
  {
    procedures: confdb,
    query: 'confdb op="" db=a,b "x y"',
    normalized: 'confdb op="" db=a,b "x y"',
    gives: [{ asked: '/a,b/x y' }],
  },
  {
    procedures: sum,
    query: 'sum2 41 at=2026-11-15 true',
    normalized: 'sum2 at=2026-11-15 "41" "true"',
    gives: [{ n: 42, at: '@2026-11-15 00:00:00+0900', on: true }],
  },
  { procedures: sum, query: 'sum2', gives: [{}] },
  { procedures: sum, query: 'sum2 many', refused: { code: 10302, begin: 5, end: 9 } },
  {
    procedures: { sentry: { parameters: {}, query: 'json "{}"', isCommand: true } },
    query: 'sentry linux',
    refused: { code: 10301, begin: 7, end: 12 },
  },
  { procedures: confdb, query: 'confdb dc=x', refused: { code: 90001, begin: 7, end: 9 } },
  { procedures: confdb, query: 'confdb db=x db=y', refused: { code: 90007, begin: 12, end: 14 } },
  { procedures: confdb, query: 'confdb docs (x)', refused: { code: 90201, begin: 12, end: 13 } },
  { procedures: confdb, query: 'confdb [ table x ]', refused: { code: 90201, begin: 7, end: 8 } },
  {
    procedures: { busy: { parameters: {}, query: 'json "{}"' } },
    query: 'busy',
    refused: { code: 92000, begin: 0, end: 4, hints: [91058] },
  },
  {
    procedures: { sentry: { parameters: {}, query: 'json "{}"' } },
    query: 'sentry',
    refused: { code: 92003, begin: 0, end: 6, hints: [91058] },
  },
  {
    procedures: { limit: { parameters: {}, query: 'json "{n: 1}"', isCommand: true } },
    query: 'json "[{a:1},{a:2}]" | limit 1',
    gives: [{ a: 1 }],
  },
];
