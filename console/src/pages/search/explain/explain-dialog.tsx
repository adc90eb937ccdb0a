// What a query does where, stage by stage: its plan at first, and what each stage read and moved once the reader has it measured.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerFor } from '#client/call.ts';
import { keyOf } from '#console/client/answers.ts';
import { callWith } from '#console/client/call.ts';
import { Button } from '#console/components/button.tsx';
import { Dialog } from '#console/components/overlays/dialog.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import type { RunRequest, Status } from '#console/results/query-run.ts';
import { toStamp } from '#console/time/moments.ts';
import { byteText, durationText, numberText } from '#console/time/numbers.ts';
import styles from './explain.module.css';

const EXPLAIN = 'POST /api/core/queries/explain';

type Explained = AnswerFor<typeof EXPLAIN>;
type Stage = Explained['stages'][number];

interface ExplainDialogProps {
  readonly request: RunRequest;
  /** Names the commands of stages. */
  readonly status: Status | undefined;
  onClose(): void;
}

export function ExplainDialog({ request, status, onClose }: ExplainDialogProps) {
  const { search } = useLabels();
  const labels = search.explained;
  const [isMeasured, setMeasured] = useState(false);
  const answer = useExplained(request, isMeasured);
  const { isFetching } = answer;
  const measure = () => (isMeasured ? void answer.refetch() : setMeasured(true));
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={labels.title}
      description={isMeasured ? labels.measuredText : labels.planText}
      footer={
        <Button kind="primary" icon="play" disabled={isFetching} onClick={measure}>
          {isMeasured ? labels.measureAgain : labels.measure}
        </Button>
      }
    >
      <Answered answer={answer}>{(explained) => <Stages explained={explained} status={status} />}</Answered>
    </Dialog>
  );
}

/** A measured query runs until it has ended or the dialog is closed. */
function useExplained({ text, interval }: RunRequest, run: boolean) {
  const request = { q: text, from: toStamp(interval.from), to: toStamp(interval.to), run };
  return useQuery({
    queryKey: keyOf(EXPLAIN, request),
    queryFn: ({ signal }) => callWith({ signal }, EXPLAIN, request),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    // A query runs when somebody asks for it, not because a connection is back.
    meta: { isRun: run },
  });
}

function Stages({ explained, status }: { readonly explained: Explained; readonly status: Status | undefined }) {
  const { search } = useLabels();
  const labels = search.explained;
  const { locale } = useLanguage();
  const { rows, stages } = explained;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: A part that scrolls must be reached by the keyboard. */}
      <section className={styles.scroller} tabIndex={0} aria-label={labels.stages}>
        <table className={styles.stages}>
          <thead>
            <tr>
              <th scope="col">{labels.engine}</th>
              <th scope="col">{labels.commands}</th>
              <th scope="col">{labels.rowsRead}</th>
              <th scope="col">{labels.bytesRead}</th>
              <th scope="col">{labels.rowsMoved}</th>
              <th scope="col">{labels.bytesMoved}</th>
              <th scope="col">{labels.elapsed}</th>
            </tr>
          </thead>
          <tbody>
            {stages.map((stage, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: Stages keep their places.
              <StageRow key={index} stage={stage} status={status} />
            ))}
          </tbody>
        </table>
      </section>
      {rows !== undefined && (
        <p className={styles.total} role="status">
          {labels.moved(
            numberText(sumOf(stages, 'rows_moved'), locale),
            byteText(sumOf(stages, 'bytes_moved')),
            numberText(rows, locale),
          )}
        </p>
      )}
      <Statements stages={stages} />
    </>
  );
}

const sumOf = (stages: readonly Stage[], count: 'rows_moved' | 'bytes_moved'): number =>
  stages.reduce((sum, stage) => sum + (stage[count] ?? 0), 0);

function StageRow({ stage, status }: { readonly stage: Stage; readonly status: Status | undefined }) {
  const { search } = useLabels();
  const { locale } = useLanguage();
  const { engine, commands, rows_read, bytes_read, rows_moved, bytes_moved, elapsed } = stage;
  const cells = [
    textOf(rows_read, (count) => numberText(count, locale)),
    textOf(bytes_read, byteText),
    textOf(rows_moved, (count) => numberText(count, locale)),
    textOf(bytes_moved, byteText),
    textOf(elapsed, durationText),
  ];
  return (
    <tr>
      <th scope="row">{search.explained.engines[engine]}</th>
      <td className={styles.commands}>
        {commands.map((position) => (
          <code key={position}>{commandAt(position, status) ?? position}</code>
        ))}
      </td>
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: Cells keep their places.
        <td key={index} className={styles.count}>
          {cell}
        </td>
      ))}
    </tr>
  );
}

const textOf = (count: number | null, write: (count: number) => string): string =>
  count === null ? '–' : write(count);

/** Of a subquery: its position and that of the command in it, with a dot between. */
function commandAt(position: string, status: Status | undefined): string | undefined {
  const [first = 0, second] = position.split('.').map(Number);
  const commands = second === undefined ? status?.commands : status?.sub_queries[first]?.commands;
  return commands?.[second ?? first]?.command;
}

/** An account that may see them has them; the numbers are those of the rows above. */
function Statements({ stages }: Pick<Explained, 'stages'>) {
  const { search } = useLabels();
  const labels = search.explained;
  return stages.map(
    ({ engine, statement }, index) =>
      statement !== null && (
        // biome-ignore lint/suspicious/noArrayIndexKey: Stages keep their places.
        <details key={index} className={styles.statement}>
          <summary>{labels.statement(index + 1, labels.engines[engine])}</summary>
          <pre>{statement}</pre>
        </details>
      ),
  );
}
