// Tests a stream rule on pasted or recent logs, and tells for each why it did not match. Nothing is stored or raised.

import { useState } from 'react';
import type { AnswerFor, RequestFor } from '#client/call.ts';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { Button } from '#console/components/button.tsx';
import { TextArea } from '#console/components/forms/field.tsx';
import { Select } from '#console/components/forms/select.tsx';
import { Failed } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import type { Command } from '#console/pages/rules/editor/conditions.ts';
import styles from '#console/pages/rules/rules.module.css';
import { runToEnd } from '#console/results/run-to-end.ts';
import { now } from '#console/time/moments.ts';
import { useUnsaved } from '#console/unsaved/use-unsaved.ts';
import { MAX_RECORDS, pastedRecords, recordOfRow, type TestRecord } from './test-records.ts';
import { TestResults } from './test-results.tsx';

export type TestAnswer = AnswerFor<'POST /api/core/stream-rules/test'>;

interface StreamTestProps {
  /** A stored rule by its GUID, or the conditions of one that is being written. */
  readonly subject: {
    readonly guid?: string;
    readonly schema_code: string | null;
    readonly commands: readonly Command[];
  };
}

const SOURCES = ['recent', 'pasted'] as const;
const COUNTS = [20, 100, 500] as const;
const WEEK_MS = 7 * 86_400_000;

export interface Tested {
  readonly records: readonly TestRecord[];
  readonly answer: TestAnswer;
}

type State =
  | { readonly phase: 'idle' | 'testing' | 'empty' }
  | { readonly phase: 'failed'; readonly error: unknown }
  | ({ readonly phase: 'tested' } & Tested);

export function StreamTest({ subject }: StreamTestProps) {
  const { rules: labels } = useLabels();
  const [source, setSource] = useState<(typeof SOURCES)[number]>('recent');
  const [state, setState] = useState<State>({ phase: 'idle' });
  async function test(read: () => Promise<readonly TestRecord[]>) {
    setState({ phase: 'testing' });
    try {
      const records = (await read()).slice(0, MAX_RECORDS);
      if (records.length === 0) return setState({ phase: 'empty' });
      const { guid, commands } = subject;
      const what = guid === undefined ? { commands } : { guids: [guid] };
      const sent = records as RequestFor<'POST /api/core/stream-rules/test'>['records']; // Both sources give JSON.
      const answer = await call('POST /api/core/stream-rules/test', { records: sent, ...what });
      setState({ phase: 'tested', records, answer });
    } catch (error) {
      setState({ phase: 'failed', error });
    }
  }
  const isTesting = state.phase === 'testing';
  return (
    <div className={styles.stack}>
      <p className={styles.note}>{labels.testText}</p>
      <div className={styles.toolbar}>
        <Select<(typeof SOURCES)[number]>
          label={labels.source}
          value={source}
          options={SOURCES.map((value) => ({ value, label: labels.sources[value] }))}
          onChange={setSource}
        />
        {source === 'recent' && (
          <RecentLogs
            schema={subject.schema_code}
            isTesting={isTesting}
            onTest={(table, count) => void test(() => recentRecords(table, count))}
          />
        )}
      </div>
      {source === 'pasted' && (
        <PastedLogs isTesting={isTesting} onTest={(pasted) => void test(async () => pastedRecords(pasted))} />
      )}
      {isTesting && <p role="status">{labels.testing}</p>}
      {state.phase === 'empty' && <p role="status">{labels.noLogs}</p>}
      {state.phase === 'failed' && <Failed error={state.error} />}
      {state.phase === 'tested' && <TestResults tested={state} />}
    </div>
  );
}

interface PastedLogsProps {
  readonly isTesting: boolean;
  onTest(pasted: string): void;
}

function PastedLogs({ isTesting, onTest }: PastedLogsProps) {
  const { rules: labels } = useLabels();
  const [pasted, setPasted] = useState('');
  const [tested, setTested] = useState('');
  // Lines that were tested have served.
  useUnsaved(pasted.trim() !== '' && pasted !== tested);
  return (
    <>
      <TextArea
        label={labels.pasted}
        hint={labels.pastedHint}
        rows={6}
        spellCheck={false}
        value={pasted}
        onChange={setPasted}
      />
      <div>
        <Button
          icon="play"
          disabled={isTesting || pasted.trim() === ''}
          onClick={() => {
            setTested(pasted);
            onTest(pasted);
          }}
        >
          {labels.test}
        </Button>
      </div>
    </>
  );
}

interface RecentLogsProps {
  readonly schema: string | null;
  readonly isTesting: boolean;
  onTest(table: string, count: number): void;
}

function RecentLogs({ schema, isTesting, onTest }: RecentLogsProps) {
  const { rules: labels } = useLabels();
  const [chosen, setChosen] = useState<string>();
  const [count, setCount] = useState<number>(COUNTS[1]);
  const { data } = useAnswer('GET /api/core/tables', { schema_code: schema ?? '' }, { isEnabled: Boolean(schema) });
  const tables = data?.tables.map(({ table_name }) => table_name) ?? [];
  const table = tables.find((name) => name === chosen) ?? tables[0];
  if (table === undefined) {
    return (
      <p className={styles.note}>
        {labels.noTable} {labels.noTableText}
      </p>
    );
  }
  return (
    <>
      <Select
        label={labels.table}
        value={table}
        options={tables.map((value) => ({ value, label: value }))}
        onChange={setChosen}
      />
      <Select
        label={labels.count}
        value={String(count)}
        options={COUNTS.map((value) => ({ value: String(value), label: labels.newest(value) }))}
        onChange={(value) => setCount(Number(value))}
      />
      <Button icon="play" disabled={isTesting} onClick={() => onTest(table, count)}>
        {labels.test}
      </Button>
    </>
  );
}

/** The newest first, as a table gives them. */
async function recentRecords(table: string, count: number): Promise<readonly TestRecord[]> {
  const to = Math.ceil(now() / 1000) * 1000;
  const request = { text: `table ${table} | limit ${count}`, interval: { from: to - WEEK_MS, to } };
  return (await runToEnd(request, new AbortController().signal)).map(recordOfRow);
}
