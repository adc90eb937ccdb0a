// Before anything has been run: three queries over the tables that are there.

import { useAnswer } from '#console/client/answers.ts';
import { ALL_TABLES } from '#console/components/query-editor/service-names.ts';
import { Answered, EmptyState } from '#console/components/states.tsx';
import type { Labels } from '#console/labels/en.ts';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './search.module.css';

interface Example {
  readonly title: string;
  readonly text: string;
}

export function Idle({ onRun }: { onRun(text: string): void }) {
  const { search: labels } = useLabels();
  const tables = useAnswer('GET /api/core/tables', ALL_TABLES);
  return (
    <Answered answer={tables}>
      {({ tables: found }) => {
        const names = found
          .toSorted((one, other) => other.table_size - one.table_size)
          .map(({ table_name }) => table_name);
        const examples = examplesFor(names, labels);
        return (
          <EmptyState title={labels.idleTitle} text={examples.length > 0 ? labels.idleText : labels.idleEmpty}>
            <ul className={styles.examples}>
              {examples.map(({ title, text }) => (
                <li key={text}>
                  <button type="button" className={styles.example} onClick={() => onRun(text)}>
                    <span>{title}</span>
                    <code>{text}</code>
                  </button>
                </li>
              ))}
            </ul>
          </EmptyState>
        );
      }}
    </Answered>
  );
}

/** The largest tables: newest records, counts over time, and a text in all of them. */
export function examplesFor(tables: readonly string[], { examples }: Labels['search']): readonly Example[] {
  const [first, second = first] = tables;
  if (first === undefined || second === undefined) return [];
  return [
    { title: examples.newest(first), text: `table ${first}` },
    { title: examples.overTime(second), text: `table ${second} | timechart span=10m count` },
    { title: examples.all, text: 'fulltext "failed"' },
  ];
}
