// The verdict on a log, as text for people or as JSON for programs.

import type { SealedEntry } from '#audit/entry.ts';
import type { Finding, Kind, Proven, Reason, Remark, Verdict } from '#audit/verify/verdict.ts';
import type { Invocation } from '#cli/kit/command.ts';
import { printJson } from '#cli/kit/output/records.ts';
import { columns, printable } from '#cli/kit/output/text-table.ts';
import type { Translator } from '#cli/kit/translator.ts';
import type { MessageCode } from '#cli/messages/index.ts';
import { toStamp } from '#contract/times.ts';
import type { Checked } from './verify-subject.ts';

const KINDS: Readonly<Record<Kind, MessageCode>> = {
  edited: 'verify-edited',
  missing: 'verify-missing',
  reordered: 'verify-reordered',
  'tail-cut': 'verify-tail-cut',
  recomputed: 'verify-recomputed',
  'bad-checkpoint': 'verify-bad-checkpoint',
  'witness-damaged': 'verify-witness-damaged',
  unwitnessed: 'verify-unwitnessed',
};

const REASONS: Readonly<Record<Reason, MessageCode>> = {
  altered: 'verify-altered',
  rewritten: 'verify-rewritten',
  unreadable: 'verify-unreadable',
  'other-predecessor': 'verify-other-predecessor',
  gap: 'verify-gap',
  'begins-late': 'verify-begins-late',
  moved: 'verify-moved',
  'out-of-order': 'verify-out-of-order',
  'cut-off': 'verify-cut-off',
  emptied: 'verify-emptied',
  'cut-and-replaced': 'verify-cut-and-replaced',
  'not-as-witnessed': 'verify-not-as-witnessed',
  'not-as-signed': 'verify-not-as-signed',
  'checkpoint-signature': 'verify-checkpoint-signature',
  'checkpoint-hash': 'verify-checkpoint-hash',
  'checkpoint-root': 'verify-checkpoint-root',
  'checkpoint-frontier': 'verify-checkpoint-frontier',
  'checkpoint-removed': 'verify-checkpoint-removed',
  'checkpoint-replaced': 'verify-checkpoint-replaced',
  'checkpoint-misplaced': 'verify-checkpoint-misplaced',
  'renewal-unsigned': 'verify-renewal-unsigned',
  'witness-unreadable': 'verify-witness-unreadable',
  'no-witness': 'verify-no-witness',
  'witness-begins-late': 'verify-witness-begins-late',
  'nothing-signed': 'verify-nothing-signed',
  'before-renewal': 'verify-before-renewal',
};

const REMARKS: Readonly<Record<Remark['remark'], MessageCode>> = {
  unwitnessed: 'verify-remark-unwitnessed',
  unsigned: 'verify-remark-unsigned',
  renewed: 'verify-remark-renewed',
  'end-unwitnessed': 'verify-remark-end-unwitnessed',
  'key-unconfirmed': 'verify-remark-key-unconfirmed',
  'goes-on': 'verify-remark-goes-on',
  'other-texts': 'verify-remark-other-texts',
};

export function printVerdict(invocation: Invocation, checked: Checked, zone: string): void {
  const { flags, translator, print } = invocation;
  if (flags.json) printJson(invocation, jsonOf(checked, translator));
  else for (const line of linesFor(checked, translator, zone)) print(printable(line));
}

function linesFor(checked: Checked, translator: Translator, zone: string): string[] {
  const { verdict, subject, location, witnesses } = checked;
  const { text } = translator;
  const common = [
    [text(subject === 'database' ? 'verify-database' : 'verify-export'), location],
    [text('verify-witness'), witnesses.length === 0 ? text('verify-none') : witnesses.join(', ')],
  ];
  if (verdict.ok) {
    const rows = [...common, ...factRows(verdict, translator, zone)];
    return [provenLine(checked, verdict, translator), '', ...indented(rows), ...remarkLines(verdict, translator)];
  }
  const hints = hintsFor(checked, verdict).map((code) => text(code));
  const rows = [...common, ...entryRows(verdict, translator, zone)];
  return [headline(verdict, translator), detailOf(verdict, translator), ...hints, '', ...indented(rows)];
}

/** Nothing in an export tells where the log ended when it was taken. */
function provenLine({ subject }: Checked, { head }: Proven, { text }: Translator): string {
  return subject === 'export' ? text('verify-proven-up-to', { id: String(head?.id) }) : text('verify-proven');
}

function headline({ kind, firstBadId, lastBadId }: Finding, { text }: Translator): string {
  const values = { kind: text(KINDS[kind]), id: String(firstBadId), last: String(lastBadId ?? '') };
  if (lastBadId === undefined) return text('verify-failed-at', values);
  return text(kind === 'unwitnessed' ? 'verify-failed-all' : 'verify-failed-between', values);
}

const detailOf = ({ reason, values }: Finding, { text }: Translator) => text(REASONS[reason], values);

function hintsFor({ subject, hasProof }: Checked, { kind, reason }: Finding): MessageCode[] {
  if (subject === 'database') return [];
  if (reason === 'before-renewal') return hasProof ? [] : ['verify-hint-proof'];
  if (kind === 'missing') return ['verify-hint-filters'];
  return reason === 'cut-off' ? ['verify-hint-order'] : [];
}

function factRows({ entries, checkpoints, first, head }: Proven, { text }: Translator, zone: string): string[][] {
  const rows = [
    [text('verify-entries'), String(entries)],
    [text('verify-checkpoints'), String(checkpoints)],
  ];
  if (!first || !head) return rows;
  const span = `${stampOf(first, zone)} – ${stampOf(head, zone)}`;
  return [...rows, [text('verify-written'), span], [text('verify-head'), `${head.id} ${head.hash}`]];
}

function remarkLines({ remarks }: Proven, { text }: Translator): string[] {
  return remarks.flatMap(({ remark, ...numbers }) => {
    const values = Object.entries(numbers).map(([name, value]) => [name, String(value)]);
    return ['', text(REMARKS[remark], Object.fromEntries(values))];
  });
}

function entryRows({ entry, before }: Finding, { text }: Translator, zone: string): string[][] {
  const rows: string[][] = [];
  if (entry) rows.push([text('verify-entry'), entryText(entry, zone)]);
  if (before) rows.push([text('verify-before'), entryText(before, zone)]);
  return rows;
}

const entryText = (entry: SealedEntry, zone: string) =>
  [stampOf(entry, zone), entry.user_name, entry.remote_ip, `${entry.module}.${entry.method}`].join('  ');

/** A tampered time may be invalid. */
function stampOf({ created_at }: SealedEntry, zone: string): string {
  const isTime = Number.isSafeInteger(created_at) && Math.abs(created_at) <= 8.64e15;
  return isTime ? toStamp(Temporal.Instant.fromEpochMilliseconds(created_at), zone) : String(created_at);
}

const indented = (rows: readonly (readonly string[])[]) => columns(rows).map((line) => `  ${line}`);

function jsonOf({ subject, location, witnesses, verdict }: Checked, translator: Translator): object {
  return { ...verdictJson(verdict, translator), [subject]: location, witnesses };
}

function verdictJson(verdict: Verdict, translator: Translator): object {
  if (verdict.ok) return verdict;
  const { ok, kind, reason, firstBadId: first_bad_id, lastBadId: last_bad_id, entry, before, gaps } = verdict;
  return { ok, kind, reason, detail: detailOf(verdict, translator), first_bad_id, last_bad_id, gaps, entry, before };
}
