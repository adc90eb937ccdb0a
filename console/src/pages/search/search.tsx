// Search: a query, its time range, and what it gives.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '#console/components/button.tsx';
import { PageFrame } from '#console/components/page-frame.tsx';
import { TimeRangePicker } from '#console/components/time-range-picker.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { parseStamp } from '#console/time/moments.ts';
import { absoluteRange } from '#console/time/ranges.ts';
import type { SearchActions } from './actions.ts';
import { rangeIn, type SearchAddress, type View } from './address.ts';
import { Editor } from './editor/editor.tsx';
import { Idle } from './idle.tsx';
import { withFilter } from './query-text/edits.ts';
import { nameText } from './query-text/literals.ts';
import { Result } from './result.tsx';
import { useRun } from './run/use-run.ts';
import styles from './search.module.css';
import { checkText, useCommandKinds, useNames } from './use-language.ts';

export function Search() {
  const { pages, search: labels } = useLabels();
  const address = useSearch({ from: '/search' });
  const navigate = useNavigate({ from: '/search' });
  const ran = address.q ?? '';
  const range = rangeIn(address);
  const [draft, setDraft] = useState(ran);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => setDraft(ran), [ran]);
  const kinds = useCommandKinds();
  const names = useNames(NO_FIELDS);
  const run = useRun(ran, range, attempt);

  const go = useCallback(
    (change: AddressChange, isStep = true) =>
      void navigate({ search: (before) => withoutAbsent({ ...before, ...change }), replace: !isStep }),
    [navigate],
  );
  const runText = useCallback(
    (text: string, change: AddressChange = {}) => {
      setDraft(text);
      setAttempt((count) => count + 1);
      go({ q: text, ...FRESH, ...change });
    },
    [go],
  );
  const latest = useRef({ ran, kinds });
  useEffect(() => {
    latest.current = { ran, kinds };
  });
  const actions = useMemo<Omit<SearchActions, 'columns'>>(
    () => ({
      filter(kind, value, place) {
        const { ran: text, kinds: known } = latest.current;
        const changed = withFilter(text, kind, value, { kinds: known, place });
        if (changed !== text) runText(changed);
      },
      setColumns: (columns) => go({ columns }, false),
      showAround(row, milliseconds) {
        const at = parseStamp(String(row._time)) ?? 0;
        const around = absoluteRange({ from: at - milliseconds, to: at + milliseconds });
        runText(`table ${nameText(String(row._table))}`, { ...around, mark: Number(row._id) });
      },
    }),
    [runText, go],
  );
  useShortcut('/', labels.focusEditor, focusEditor, 'page');
  return (
    <PageFrame title={pages.search} fills>
      <div className={styles.query}>
        <Editor text={draft} onChange={setDraft} onRun={() => runText(draft)} names={names} check={checkText} />
        <div className={styles.buttons}>
          <TimeRangePicker value={range} onChange={({ from, to }) => go({ from, to, ...FRESH })} />
          <RunButton run={run} onRun={() => runText(draft)} />
        </div>
      </div>
      <div className={styles.area} data-fields={false}>
        <section className={styles.result} aria-label={labels.rows}>
          {run ? (
            <Result
              key={run.request.text + String(attempt)}
              run={run}
              view={address.view ?? 'table'}
              onView={(view: View) => go({ view }, false)}
              page={address.page ?? 1}
              onPage={(page) => go({ page }, false)}
              columns={address.columns}
              actions={actions}
              mark={address.mark}
              histogram={undefined}
              onReplace={runText}
              onRetry={() => setAttempt((count) => count + 1)}
              onWiden={() => go({ from: 'now-30d', to: 'now', ...FRESH })}
            />
          ) : (
            <Idle onRun={runText} />
          )}
        </section>
      </div>
    </PageFrame>
  );
}

/** Undefined takes a value out of the address. */
type AddressChange = { readonly [K in keyof SearchAddress]: SearchAddress[K] | undefined };

const NO_FIELDS: readonly string[] = [];

/** What belongs to one result and not to the next. */
const FRESH: AddressChange = { page: undefined, mark: undefined };

const withoutAbsent = (address: AddressChange): SearchAddress =>
  Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined));

const focusEditor = (): void => document.querySelector<HTMLElement>('.cm-content')?.focus();

function RunButton({ run, onRun }: { readonly run: ReturnType<typeof useRun>; onRun(): void }) {
  const { search: labels } = useLabels();
  return run ? (
    <CancelOrRun run={run} onRun={onRun} />
  ) : (
    <Button kind="primary" icon="play" title={labels.runHint} onClick={onRun}>
      {labels.run}
    </Button>
  );
}

function CancelOrRun({ run, onRun }: { readonly run: NonNullable<ReturnType<typeof useRun>>; onRun(): void }) {
  const { search: labels, common } = useLabels();
  const { phase } = run.state.use();
  if (phase === 'running') {
    return (
      <Button icon="stop" onClick={() => void run.cancel()}>
        {common.cancel}
      </Button>
    );
  }
  return (
    <Button kind="primary" icon="play" title={labels.runHint} onClick={onRun}>
      {labels.run}
    </Button>
  );
}
