// How far the audit trail is signed.

import { Link } from '@tanstack/react-router';
import { useAnswer } from '#console/client/answers.ts';
import { Panel } from '#console/components/page-frame.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import styles from './home.module.css';

/** A checkpoint comes after so many entries at the latest. */
const CHECKPOINT_ENTRIES = 1000;

export function AuditTrail() {
  const { home: labels } = useLabels();
  const { locale } = useLanguage();
  const { data } = useAnswer('GET /api/core/audit-logs', { limit: 0 });
  const from_id = Math.max(0, (data?.total ?? 0) - CHECKPOINT_ENTRIES);
  // Not repeated: each reading of the proof is an entry of the trail.
  const answer = useAnswer('GET /api/core/audit-logs/proof', { from_id }, { isEnabled: data !== undefined });
  return (
    <Panel
      title={labels.proof}
      controls={
        <Link to="/audit" search={{ view: 'proof' }}>
          {labels.open}
        </Link>
      }
    >
      <Answered answer={answer}>
        {({ head, checkpoints }) => {
          const newest = checkpoints.at(-1);
          return (
            <>
              <dl className={styles.proof}>
                <div>
                  <dt>{labels.entries}</dt>
                  <dd>{numberText(head.id, locale)}</dd>
                </div>
                {newest && (
                  <>
                    <div>
                      <dt>{labels.signedUpTo}</dt>
                      <dd>{numberText(newest.id, locale)}</dd>
                    </div>
                    <div>
                      <dt>{labels.signedAt}</dt>
                      <dd>
                        <Time at={newest.created_at} isRelative />
                      </dd>
                    </div>
                  </>
                )}
              </dl>
              {!newest && <p className={styles.note}>{labels.unsigned}</p>}
            </>
          );
        }}
      </Answered>
    </Panel>
  );
}
