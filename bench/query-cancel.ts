// How soon a query has stopped after somebody asked for it.

import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Effort, Row } from './support/bench.ts';
import { ALL_RECORDS, type HeavyQuery, heavyQueries, LIST_QUERIES } from './support/heavy-queries.ts';
import { CORPUS_VARIABLE } from './support/log-corpus.ts';
import { type Chance, chance, percentile } from './support/numbers.ts';
import { begun, cancel, forget, type QueryStatus, statusOf } from './support/query-calls.ts';
import { launch, type ServerProcess, vigil } from './support/server-process.ts';
import { serviceOf } from './support/service-calls.ts';
import { NEEDS_GENERATED, type StoredLog, storedLog } from './support/stored-log.ts';

const SEED = 20_261_115;
const POLL_MS = 1;
/** A cancel comes somewhere in what a query takes, and not later than this. */
const LATEST_MS = 2000;
/** Every other one comes in here, where a query is checked, planned and prepared: what is not at work cannot be interrupted. */
const EARLY_MS = 50;
const SHARE_OF_RUN = 0.8;
/** An interrupt of plain DuckDB that comes before its statement has begun is lost. */
const PLAIN_EARLIEST_MS = 5;
const AFTERWARDS_MS = 100;
const ATTEMPTS_PER_CANCEL = 5;
const AIM = { of: 'value', is: 'at most', bound: 200 } as const;

export const queryCancel: Bench = {
  name: 'query-cancel',
  question: 'How long does it take from the request to cancel a query until it has stopped?',
  yardstick: 'interrupt() of DuckDB alone, in the same statement at the same moment',
  aim: 'p99 at most 200 ms, at any moment and at the beginning of a query',

  async run(effort) {
    if (process.env[CORPUS_VARIABLE]) return { rows: [], notes: [NEEDS_GENERATED] };
    const log = await storedLog(effort);
    await using server = await launch(vigil({ folder: log.folder }));
    await server.ready('/readyz');
    const findings = await cancelMany({ server, log }, effort);
    return { rows: rowsOf(findings), notes: [(await effort.logs.corpus()).about, ...NOTES, counted(findings)] };
  },
};

const NOTES = [
  `POST /api/core/queries/{id}/cancel of \`vigil serve\`, from sending it until GET /api/core/queries/{id}, asked again every millisecond, says is_finished. The queries are cursors, of ${heavyQueries.length + 1 + LIST_QUERIES.length} kinds in turn; one hands out every record and is cancelled while its rows are written, ${LIST_QUERIES.length} make lists at the ceiling of a row.`,
  `The moment is random, the same at every run: "any moment" up to ${SHARE_OF_RUN} of what the query takes, at most ${LATEST_MS} ms, "at its beginning" in its first ${EARLY_MS} ms. A query that was done before its cancel counts for nothing and is tried again.`,
  `"afterwards" is the processor time of the whole service in the ${AFTERWARDS_MS} ms after it said that the query had stopped, in steps of 10 ms: work that went on would show there.`,
];

interface Subject {
  readonly server: ServerProcess;
  readonly log: StoredLog;
}

/** One that may be cancelled, with how long it takes or is let run. */
interface Candidate {
  readonly query: string;
  readonly sql?: string;
  readonly span: number;
}

interface Findings {
  readonly anytime: number[];
  readonly early: number[];
  readonly plain: number[];
  readonly afterwards: number[];
  /** Cancels that came too late. */
  late: number;
}

async function cancelMany(subject: Subject, { isQuick, say }: Effort): Promise<Findings> {
  const wanted = isQuick ? 20 : 200;
  const candidates = await candidatesOf(subject, say);
  const pick = chance(SEED);
  const findings: Findings = { anytime: [], early: [], plain: [], afterwards: [], late: 0 };
  for (let attempt = 0; ; attempt += 1) {
    const done = findings.anytime.length + findings.early.length;
    if (done === wanted) return findings;
    if (attempt === wanted * ATTEMPTS_PER_CANCEL)
      throw new Error(`${findings.late} of ${attempt} cancels came too late`);
    say(`${done} of ${wanted} cancelled`);
    const isEarly = findings.early.length < findings.anytime.length;
    const candidate = candidates[attempt % candidates.length];
    if (candidate)
      await cancelOne(subject, candidate, { findings, isEarly, moment: momentIn(candidate, isEarly, pick) });
  }
}

const momentIn = ({ span }: Candidate, isEarly: boolean, pick: Chance): number =>
  pick.below(Math.max(1, Math.min(span * SHARE_OF_RUN, isEarly ? EARLY_MS : LATEST_MS)));

interface Cancelling {
  readonly findings: Findings;
  readonly isEarly: boolean;
  /** Milliseconds after it was accepted. */
  readonly moment: number;
}

async function cancelOne(
  { server, log }: Subject,
  { query, sql }: Candidate,
  { findings, isEarly, moment }: Cancelling,
): Promise<void> {
  const service = serviceOf(server);
  const id = await begun(service, query);
  await pause(moment);
  const asked = performance.now();
  await cancel(service, id);
  const status = await ended(server, id);
  const milliseconds = performance.now() - asked;
  const before = server.cpuSeconds() ?? Number.NaN;
  await pause(AFTERWARDS_MS);
  const spent = ((server.cpuSeconds() ?? Number.NaN) - before) * 1000;
  await forget(service, id);
  if (!status.is_cancelled) findings.late += 1;
  else {
    (isEarly ? findings.early : findings.anytime).push(milliseconds);
    findings.afterwards.push(spent);
  }
  const plain = !isEarly && sql && (await log.duckdb.interrupted(sql, Math.max(PLAIN_EARLIEST_MS, moment)));
  if (plain) findings.plain.push(plain);
}

async function ended(server: ServerProcess, id: number): Promise<QueryStatus> {
  for (;;) {
    const status = await statusOf(serviceOf(server), id);
    if (status.is_finished) return status;
    await pause(POLL_MS);
  }
}

async function candidatesOf(subject: Subject, say: Effort['say']): Promise<Candidate[]> {
  const all = [
    ...heavyQueries.map(({ query, sql }: HeavyQuery) => ({ query, sql: sql(subject.log.files) })),
    { query: ALL_RECORDS },
    ...LIST_QUERIES.map((query) => ({ query })),
  ];
  const candidates: Candidate[] = [];
  for (const one of all) {
    say(`how long it takes: ${one.query}`);
    candidates.push({ ...one, span: await spanOf(subject.server, one.query) });
  }
  return candidates;
}

/** Milliseconds it takes when it is left alone, at most the latest moment. */
async function spanOf(server: ServerProcess, query: string): Promise<number> {
  const service = serviceOf(server);
  const began = performance.now();
  const id = await begun(service, query);
  const passed = () => performance.now() - began;
  while (passed() < LATEST_MS && !(await statusOf(service, id)).is_finished) await pause(POLL_MS);
  const span = passed();
  await cancel(service, id);
  await ended(server, id);
  await forget(service, id);
  return Math.min(span, LATEST_MS);
}

function rowsOf({ anytime, early, plain, afterwards }: Findings): Row[] {
  const row = (what: string, times: readonly number[], share: number): Row => ({
    what,
    value: percentile(times, share),
    unit: 'ms',
  });
  const beside = (name: string, share: number): Row => ({
    ...row(`any moment: ${name}`, anytime, share),
    yardstick: percentile(plain, share),
  });
  return [
    beside('p50', 0.5),
    { ...beside('p99', 0.99), aim: AIM },
    beside('longest', 1),
    row('at its beginning: p50', early, 0.5),
    { ...row('at its beginning: p99', early, 0.99), aim: AIM },
    row('at its beginning: longest', early, 1),
    row('afterwards, processor time: p50', afterwards, 0.5),
    row('afterwards, processor time: most', afterwards, 1),
  ];
}

const counted = ({ anytime, early, plain, late }: Findings): string =>
  `${anytime.length} cancels at any moment and ${early.length} at the beginning, beside ${plain.length} interrupts of plain DuckDB; ${late} came after the query was done.`;
