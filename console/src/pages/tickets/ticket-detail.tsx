// One ticket: what it is about, the people and their parts, comments, events and history.

import { Link } from '@tanstack/react-router';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { Button } from '#console/components/button.tsx';
import { Checkbox } from '#console/components/forms/field.tsx';
import { Select } from '#console/components/forms/select.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { Fact, Facts, RecordPanel } from '#console/components/record-panel.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { Tabs } from '#console/components/tabs.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import { Comments } from './comments.tsx';
import { TicketMarks, TicketStatusBadge } from './ticket-badges.tsx';
import { TicketContent } from './ticket-content.tsx';
import { TicketEvents } from './ticket-events.tsx';
import { TicketHistory } from './ticket-history.tsx';
import { movesOf } from './ticket-moves.ts';
import styles from './tickets.module.css';
import { PARTS, PRIORITIES, PRIORITY_NUMBERS, priorityOf, type Ticket, type TicketsSearch } from './tickets-search.ts';
import { refusalText, useMoves } from './use-moves.ts';
import { useTicketRefresh } from './use-tickets.ts';
import { useWritableRepositories } from './writable-repositories.ts';

interface TicketDetailProps {
  readonly guid: string;
  readonly part: TicketsSearch['part'];
  onPart(part: TicketsSearch['part']): void;
  onClose(): void;
}

const REFRESH_MS = 15_000;

export function TicketDetail({ guid, onClose, ...rest }: TicketDetailProps) {
  const { tickets: labels } = useLabels();
  const { locale } = useLanguage();
  const answer = useAnswer('GET /api/core/tickets/:guid', { guid }, { every: REFRESH_MS });
  const id = answer.data?.ticket?.id;
  return (
    <RecordPanel title={labels.ticket(id === undefined ? '' : numberText(id, locale))} onClose={onClose}>
      <Answered answer={answer}>
        {({ ticket }) =>
          ticket ? <Content ticket={ticket} {...rest} /> : <EmptyState icon="tickets" title={labels.gone} />
        }
      </Answered>
    </RecordPanel>
  );
}

interface ContentProps extends Pick<TicketDetailProps, 'part' | 'onPart'> {
  readonly ticket: Ticket;
}

function Content({ ticket, part = 'comments', onPart }: ContentProps) {
  const { tickets: labels } = useLabels();
  const { data: writable } = useWritableRepositories();
  const isWritable = writable?.some(({ guid }) => guid === ticket.repo_guid) ?? false;
  const contents = {
    comments: <Comments ticket={ticket} isWritable={isWritable} />,
    events: <TicketEvents ticket={ticket} />,
    history: <TicketHistory ticket={ticket} />,
  };
  return (
    <div className={styles.content}>
      <p className={styles.headline}>{ticket.title}</p>
      <p className={styles.badges}>
        <TicketStatusBadge status={ticket.status} />
        <TicketMarks ticket={ticket} />
      </p>
      <Moves ticket={ticket} />
      {isWritable && <Settings ticket={ticket} />}
      <About ticket={ticket} />
      <h3>{labels.people}</h3>
      <People ticket={ticket} />
      <TicketContent ticket={ticket} />
      <Tabs
        label={labels.tabs}
        value={part}
        onChange={(next) => onPart(next === 'comments' ? undefined : next)}
        tabs={PARTS.map((value) => ({ value, label: labels.parts[value], content: contents[value] }))}
      />
    </div>
  );
}

/** What the reader may do next: approve and reject, begin, finish, submit. */
function Moves({ ticket }: { readonly ticket: Ticket }) {
  const { tickets: labels } = useLabels();
  const { user, make } = useMoves();
  const moves = movesOf(ticket, user);
  if (moves.length === 0) return undefined;
  return (
    <div className={styles.moves} role="toolbar" aria-label={labels.move}>
      {moves.map((move) => (
        <Button
          key={move}
          kind={move === 'reject' ? 'danger' : 'plain'}
          size="small"
          onClick={() => void make(move, ticket)}
        >
          {labels.moves[move]}
        </Button>
      ))}
    </div>
  );
}

function Settings({ ticket }: { readonly ticket: Ticket }) {
  const labels = useLabels();
  const refresh = useTicketRefresh();
  const change = async (request: Promise<unknown>) => {
    try {
      await request;
    } catch (error) {
      showToast(refusalText(error, labels), 'failed');
    }
    await refresh();
  };
  const { guid } = ticket;
  return (
    <div className={styles.moves}>
      <Select
        label={labels.tickets.priority}
        value={priorityOf(ticket.priority)}
        options={PRIORITIES.map((value) => ({ value, label: labels.priority[value] }))}
        onChange={(name) =>
          void change(call('PUT /api/core/tickets/:guid/priority', { guid, priority: PRIORITY_NUMBERS[name] }))
        }
      />
      <Checkbox
        label={labels.tickets.incident}
        isChecked={ticket.incident}
        onChange={(incident) => void change(call('PUT /api/core/tickets/:guid/incident', { guid, incident }))}
      />
    </div>
  );
}

function About({ ticket }: { readonly ticket: Ticket }) {
  const { tickets: labels, common } = useLabels();
  return (
    <Facts>
      <Fact name={labels.repository}>{ticket.repo_name ?? common.none}</Fact>
      {ticket.rule_guid !== null && (
        <Fact name={labels.rule}>
          <RuleLink ticket={ticket} rule={ticket.rule_guid} />
        </Fact>
      )}
      <Fact name={labels.created}>
        <Time at={ticket.created_at} />
      </Fact>
      <Fact name={labels.updated}>
        <Time at={ticket.updated_at} />
      </Fact>
      {ticket.closed_at !== null && (
        <Fact name={labels.closedAt}>
          <Time at={ticket.closed_at} />
        </Fact>
      )}
    </Facts>
  );
}

/** The kind and the name of the rule stand in its events. */
function RuleLink({ ticket: { guid }, rule }: { readonly ticket: Ticket; readonly rule: string }) {
  const { common } = useLabels();
  const answer = useAnswer('GET /api/core/events', { ticket_guid: guid, limit: 1 });
  return (
    <Answered answer={answer} lines={1}>
      {({ events: [event] }) =>
        event ? (
          <Link to="/rules" search={{ rule, of: event.rule_type }}>
            {event.rule_name}
          </Link>
        ) : (
          common.yes
        )
      }
    </Answered>
  );
}

function People({ ticket: { assignees } }: { readonly ticket: Ticket }) {
  const { tickets: labels } = useLabels();
  if (assignees.length === 0) return <p className={styles.note}>{labels.noPeople}</p>;
  return (
    <Facts>
      {assignees.map(({ user_guid, user_name, task_type, task_status }) => (
        <Fact key={`${task_type}-${user_guid}`} name={labels.tasks[task_type]}>
          {user_name ?? labels.removedUser}:{' '}
          {task_type === 'APPROVER' && task_status === 'ASSIGNED'
            ? labels.pendingDecision
            : labels.taskStatus[task_status]}
        </Fact>
      ))}
    </Facts>
  );
}
