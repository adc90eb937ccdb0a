// The report on an exported installation: a line for each finding, or JSON.

import type { Invocation } from '#cli/kit/command.ts';
import { FAILED } from '#cli/kit/failures/failure.ts';
import { printJson } from '#cli/kit/output/records.ts';
import { columns, cut, printable } from '#cli/kit/output/text-table.ts';
import type { UnreadFile } from './export-folder.ts';
import type { Finding } from './finding.ts';
import { STATUSES, type Status, type Verdict } from './verdicts.ts';

export interface Report {
  readonly verdicts: readonly (Verdict & { readonly isCreated?: boolean })[];
  readonly unread: readonly UnreadFile[];
}

const MAX_MESSAGE = 200;

/** Returns the exit code. */
export function printReport({ verdicts, unread }: Report, invocation: Invocation): number {
  const counts = countsOf(verdicts);
  if (invocation.flags.json) printJson(invocation, { objects: verdicts.map(recordOf), unread, counts });
  else printTable({ verdicts, unread }, counts, invocation);
  return counts.refused > 0 ? FAILED : 0;
}

type Counts = Readonly<Record<Status, number>>;

const countsOf = (verdicts: readonly Verdict[]): Counts =>
  Object.fromEntries(
    STATUSES.map((status) => [status, verdicts.filter((one) => one.status === status).length]),
  ) as Record<Status, number>;

function recordOf({ object: { kind, name, file }, status, findings, isCreated }: Report['verdicts'][number]) {
  const [first] = findings.map(findingRecord);
  return {
    kind,
    name,
    file,
    status,
    ...(first ?? { line: null, code: null, message: null, replacement: null }),
    findings: findings.map((one) => ({ severity: one.severity, ...findingRecord(one) })),
    ...(isCreated === undefined ? {} : { created: isCreated }),
  };
}

const findingRecord = ({ line = null, code, message, replacement = null }: Finding | NullableFinding) => ({
  line,
  code,
  message,
  replacement,
});

type NullableFinding = Omit<Finding, 'line' | 'replacement'> & {
  readonly line?: number | null;
  readonly replacement?: string | null;
};

function printTable(
  { verdicts, unread }: Report,
  counts: Counts,
  { translator: { text }, print, note }: Invocation,
): void {
  const titles = [
    'migrate-status',
    'migrate-object',
    'migrate-where',
    'migrate-code',
    'migrate-reason',
    'migrate-instead',
  ];
  const rows = verdicts.flatMap(rowsOf);
  if (rows.length > 0)
    for (const line of columns([titles.map((code) => text(code as 'migrate-status')), ...rows])) print(line);
  for (const { file, reason } of unread) note(text('migrate-unread', { file: printable(file), reason }));
  const shown = Object.fromEntries(Object.entries(counts).map(([status, count]) => [status, String(count)]));
  note(text('migrate-counts', shown));
  const made = verdicts.filter(({ isCreated }) => isCreated).length;
  if (verdicts.some(({ isCreated }) => isCreated !== undefined)) note(text('migrate-created', { count: String(made) }));
}

/** One for each finding; one without findings for an object that has none. */
function rowsOf({ object: { kind, name, file }, status, findings }: Verdict): string[][] {
  const start = [status, printable(`${kind}/${name}`)];
  if (findings.length === 0) return [[...start, printable(file)]];
  return findings.map(({ line, code, message, replacement = '' }) => [
    ...start,
    printable(line === undefined ? file : `${file}:${line}`),
    String(code),
    cut(printable(message), MAX_MESSAGE),
    printable(replacement),
  ]);
}
