// The history as a list: a click runs a query again.

import { useState } from 'react';
import { Button } from '#console/components/button.tsx';
import { Popover } from '#console/components/overlays/popover.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { CellText } from '#console/results/stored-text.tsx';
import { Time } from '#console/time/time.tsx';
import type { HistoryEntry } from './entries.ts';
import styles from './history.module.css';
import type { History } from './use-history.ts';

interface HistoryMenuProps {
  readonly history: History;
  onChoose(entry: HistoryEntry): void;
}

export function HistoryMenu({ history: { entries, clear }, onChoose }: HistoryMenuProps) {
  const { search: labels } = useLabels();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label={labels.history}
      align="end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button kind="quiet" icon="history">
          {labels.history}
        </Button>
      }
    >
      <div className={styles.history}>
        {entries.length === 0 && <p className={styles.empty}>{labels.historyEmpty}</p>}
        <ul>
          {entries.map((entry) => (
            <li key={entry.q}>
              <button
                type="button"
                className={styles.entry}
                onClick={() => {
                  setOpen(false);
                  onChoose(entry);
                }}
              >
                <code>
                  <CellText text={entry.q} />
                </code>
                <span className={styles.time}>
                  <Time at={entry.at} isRelative />
                </span>
              </button>
            </li>
          ))}
        </ul>
        {entries.length > 0 && (
          <Button size="small" kind="quiet" icon="trash" onClick={clear}>
            {labels.clearHistory}
          </Button>
        )}
      </div>
    </Popover>
  );
}
