// The history of a ticket: its entries of the audit trail for those who may read it, else what the ticket itself tells.

import { Link } from '@tanstack/react-router';
import { useAnswer } from '#console/client/answers.ts';
import { useAccount } from '#console/client/session.ts';
import { type HistoryEntry, HistoryList } from '#console/components/history-list.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { isAtLeast } from '#contract/values.ts';
import styles from './tickets.module.css';
import type { Ticket } from './tickets-search.ts';

const SHOWN = 200;

export function TicketHistory({ ticket }: { readonly ticket: Ticket }) {
  const { role_name } = useAccount();
  return isAtLeast(role_name, 'MASTER') ? <AuditedHistory ticket={ticket} /> : <KnownHistory ticket={ticket} />;
}

function AuditedHistory({ ticket }: { readonly ticket: Ticket }) {
  const { tickets: labels } = useLabels();
  const { locale } = useLanguage();
  const answer = useAnswer('GET /api/core/audit-logs', {
    keywords: [ticket.guid],
    categories: ['tickets'],
    limit: SHOWN,
    locale,
  });
  return (
    <div className={styles.part}>
      <Answered answer={answer} lines={3}>
        {({ audit_logs }) => (
          <HistoryList
            label={labels.parts.history}
            entries={[
              ...audit_logs.map(({ id, action, error, user_name, created_at }) => ({
                key: String(id),
                title: action ?? '',
                who: user_name,
                at: created_at,
                note: (
                  <>
                    {error !== undefined && <span className={styles.refused}>{error} </span>}
                    <Link to="/audit" search={{ entry: id }}>
                      {labels.history.entry}
                    </Link>
                  </>
                ),
              })),
              // A rule leaves no entry of its own.
              ...(ticket.rule_guid === null ? [] : [beginningOf(ticket, labels.history.raised)]),
            ]}
          />
        )}
      </Answered>
      <Link to="/audit" search={{ keywords: ticket.guid, from: 'now-30d', to: 'now' }}>
        {labels.history.all}
      </Link>
    </div>
  );
}

function KnownHistory({ ticket }: { readonly ticket: Ticket }) {
  const { tickets: labels } = useLabels();
  const answer = useAnswer('GET /api/core/tickets/:guid/comments', { guid: ticket.guid });
  return (
    <div className={styles.part}>
      <Answered answer={answer} lines={3}>
        {({ comments }) => (
          <HistoryList
            label={labels.parts.history}
            entries={[
              ticket.closed_at === null
                ? { key: 'changed', title: labels.history.changed, at: ticket.updated_at }
                : { key: 'closed', title: labels.history.closed, at: ticket.closed_at },
              ...comments.toReversed().map(({ guid, user_name, created, content }) => ({
                key: guid,
                title: labels.history.commented,
                who: user_name ?? labels.removedUser,
                at: created,
                note: content,
              })),
              beginningOf(ticket, ticket.rule_guid === null ? labels.history.created : labels.history.raised),
            ]}
          />
        )}
      </Answered>
      <p className={styles.note}>{labels.history.note}</p>
    </div>
  );
}

const beginningOf = ({ created_at }: Ticket, title: string): HistoryEntry => ({
  key: 'created',
  title,
  at: created_at,
});
