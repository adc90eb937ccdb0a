// The version of the rule that found an event, who wrote it, and whether it has changed since.

import { Link } from '@tanstack/react-router';
import { useAnswer } from '#console/client/answers.ts';
import { HistoryList } from '#console/components/history-list.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
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
        <>
          <HistoryList
            label={labels.version}
            entries={versions
              .filter(({ version }) => version >= event.rule_version)
              .map(({ version, user_name, created, change, comment }) => ({
                key: String(version),
                title: `${labels.versionNumber(version)}: ${labels.changes[change]}`,
                who: user_name,
                at: created,
                ...(version === event.rule_version ? { mark: labels.foundBy, isCurrent: true } : {}),
                note: comment,
              }))}
          />
          <Link to="/rules" search={{ rule: event.rule_guid, of: event.rule_type, tab: 'versions' }}>
            {labels.allVersions}
          </Link>
        </>
      )}
    </Answered>
  );
}
