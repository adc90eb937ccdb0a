// The parts of the service, each as it is checked right now.

import { useAnswer } from '#console/client/answers.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import { Panel } from '#console/components/page-frame.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './home.module.css';
import { REFRESH_MS } from './refresh.ts';

export function Health() {
  const { home: labels } = useLabels();
  const answer = useAnswer('GET /readyz', {}, { every: REFRESH_MS });
  return (
    <Panel title={labels.health}>
      <Answered answer={answer}>
        {({ checks }) => (
          <ul className={styles.facts}>
            {Object.entries(checks).map(([part, state]) => (
              <li key={part}>
                <StatusBadge tone={state === 'ok' ? 'good' : 'high'}>
                  {state === 'ok' ? labels.checks.ok : labels.checks.failed}
                </StatusBadge>
                <span className={styles.name}>{part}</span>
                {state !== 'ok' && <span className={styles.note}>{String(state)}</span>}
              </li>
            ))}
          </ul>
        )}
      </Answered>
    </Panel>
  );
}
