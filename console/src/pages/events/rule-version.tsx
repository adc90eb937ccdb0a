// The version of the rule that found an event, who wrote it, and whether it has changed since.

import { useAnswer } from '#console/client/answers.ts';
import { Answered } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { Time } from '#console/time/time.tsx';
import styles from './events.module.css';
import type { EventRecord } from './events-search.ts';

export function RuleVersion({ event }: { readonly event: EventRecord }) {
  const { events: labels } = useLabels();
  const params = { guid: event.rule_guid };
  const isBatch = event.rule_type === 'batch';
  const batch = useAnswer('GET /api/core/batch-rules/:guid/versions', params, { isEnabled: isBatch });
  const stream = useAnswer('GET /api/core/stream-rules/:guid/versions', params, { isEnabled: !isBatch });
  return (
    <Answered answer={isBatch ? batch : stream} lines={2}>
      {({ versions }) => (
        <ol className={styles.versions}>
          {versions
            .filter(({ version }) => version >= event.rule_version)
            .map(({ version, user_name, created, change, comment }) => (
              <li key={version} aria-current={version === event.rule_version}>
                <strong>{labels.versionNumber(version)}</strong>
                {version === event.rule_version && <span className={styles.found}>{labels.foundBy}</span>}
                <span>
                  {labels.changes[change]} · {user_name} · <Time at={created} />
                </span>
                {comment !== null && <span className={styles.note}>{comment}</span>}
              </li>
            ))}
        </ol>
      )}
    </Answered>
  );
}
