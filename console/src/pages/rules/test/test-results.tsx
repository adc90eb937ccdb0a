// The outcome of a test: for each log whether the rule matches, and the condition that stopped it with the values it read.

import { useState } from 'react';
import { StatusBadge } from '#console/components/badge.tsx';
import { Callout } from '#console/components/callout.tsx';
import { type Column, DataTable } from '#console/components/data-table.tsx';
import { Toggles } from '#console/components/forms/toggles.tsx';
import type { Tone } from '#console/components/tone.ts';
import type { Labels } from '#console/labels/en.ts';
import { useLabels } from '#console/labels/labels.tsx';
import styles from '#console/pages/rules/rules.module.css';
import { jsonText, rawText } from '#console/results/row.ts';
import type { TestAnswer, Tested } from './stream-test.tsx';
import type { TestRecord } from './test-records.ts';

const VERDICTS = ['match', 'miss', 'rejected'] as const;
type Verdict = (typeof VERDICTS)[number];
const TONES: Readonly<Record<Verdict, Tone>> = { match: 'high', miss: 'neutral', rejected: 'medium' };

interface Line {
  readonly index: number;
  readonly record: TestRecord;
  readonly verdict: Verdict;
  readonly why: string;
}

type Result = TestAnswer['results'][number];

export function TestResults({ tested: { records, answer } }: { readonly tested: Tested }) {
  const { rules: labels } = useLabels();
  const [chosen, setChosen] = useState<readonly Verdict[]>([]);
  const [open, setOpen] = useState<number>();
  const lines = answer.results.map((result, index) => lineOf(result, index, records[index] ?? {}, labels));
  const countOf = (verdict: Verdict) => lines.filter((line) => line.verdict === verdict).length;
  const columns: readonly Column<Line>[] = [
    {
      id: 'verdict',
      header: labels.result,
      width: '7rem',
      cell: ({ verdict }) => <StatusBadge tone={TONES[verdict]}>{labels.verdicts[verdict]}</StatusBadge>,
    },
    { id: 'why', header: labels.why, width: 'minmax(16rem, 2fr)', cell: ({ why }) => <span title={why}>{why}</span> },
    {
      id: 'log',
      header: labels.log,
      width: 'minmax(16rem, 3fr)',
      cell: ({ record }) => <code>{rawText(record)}</code>,
    },
  ];
  return (
    <div className={styles.stack}>
      <p role="status">
        <strong>{labels.tested(countOf('match'), lines.length)}</strong>
        {lines.length < records.length && ` ${labels.tooMany(lines.length)}`}
      </p>
      {answer.broken.map(({ guid, reason }) => (
        <Callout key={guid}>{labels.ruleBroken(reason)}</Callout>
      ))}
      <Toggles
        label={labels.result}
        options={VERDICTS.map((id) => ({ id, label: labels.verdicts[id], count: countOf(id) }))}
        chosen={chosen}
        onChange={setChosen}
      />
      <DataTable
        label={labels.result}
        rows={lines.filter(({ verdict }) => chosen.length === 0 || chosen.includes(verdict))}
        rowKey={({ index }) => String(index)}
        columns={columns}
        maxHeight="24rem"
        openKey={open === undefined ? undefined : String(open)}
        onOpen={({ index }) => setOpen(index === open ? undefined : index)}
        detail={(line) => (line.index === open ? <Detail line={line} /> : undefined)}
      />
    </div>
  );
}

const Detail = ({ line: { why, record } }: { readonly line: Line }) => (
  <div className={styles.lineDetail}>
    <p>{why}</p>
    <pre>{jsonText(record, 2)}</pre>
  </div>
);

function lineOf(result: Result, index: number, record: TestRecord, labels: Labels['rules']): Line {
  const { reason, matches, misses } = result;
  if (reason !== null) return { index, record, verdict: 'rejected', why: labels.rejectedFor[reason] };
  if (matches.length > 0) return { index, record, verdict: 'match', why: labels.allConditions };
  const [miss] = misses;
  return { index, record, verdict: 'miss', why: miss ? whyNot(miss, labels) : '' };
}

function whyNot({ ordinal, condition, fields }: Result['misses'][number], labels: Labels['rules']): string {
  const values = Object.entries(fields).map(([name, value]) => `${name} = ${jsonText(value)}`);
  // A field that the log does not have is read as null.
  const isEmpty = Object.values(fields).every((value) => value === null);
  const read = isEmpty ? labels.readNothing : labels.read(values.join(', '));
  return `${labels.stopped(ordinal, condition)} · ${read}`;
}
