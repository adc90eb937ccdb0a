// A new ticket, of chosen events or of none.

import { Link } from '@tanstack/react-router';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { useAccount } from '#console/client/session.ts';
import { FormDialog } from '#console/components/forms/form.tsx';
import type { FormField } from '#console/components/forms/form-field.ts';
import { Dialog } from '#console/components/overlays/dialog.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { EmptyState, Failed, Loading } from '#console/components/states.tsx';
import type { Labels } from '#console/labels/en.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { isAtLeast } from '#contract/values.ts';
import { PRIORITIES, PRIORITY_NUMBERS, type PriorityName } from './tickets-search.ts';
import { type Repository, useWritableRepositories } from './writable-repositories.ts';

const MAX_TITLE = 255;
const MAX_CONTENT = 100_000;

interface TicketDialogProps {
  readonly events?: readonly { readonly guid: string; readonly msg: string; readonly priority: PriorityName }[];
  onClose(): void;
  onDone(guid: string): void;
}

interface Draft {
  readonly repo_guid: string;
  readonly title: string;
  readonly priority: string;
  readonly content: string;
  readonly assignees: readonly string[];
  readonly approvers: readonly string[];
  readonly incident: boolean;
  readonly attack: boolean;
}

export function TicketDialog({ events = [], onClose, onDone }: TicketDialogProps) {
  const { tickets: labels, ...others } = useLabels();
  const account = useAccount();
  const { data: repositories, error, refetch } = useWritableRepositories();
  const { data } = useAnswer('GET /api/core/users', {});
  const title = labels.create;
  if (!repositories || !data || repositories.length === 0) {
    return (
      <Dialog isOpen onClose={onClose} title={title}>
        {repositories?.length === 0 ? (
          <EmptyState icon="tickets" title={labels.noRepository} text={labels.noRepositoryText}>
            {isAtLeast(account.role_name, 'ADMIN') && (
              <Link to="/administration" search={{ family: 'ticket-repos', dialog: 'new' }}>
                {labels.makeRepository}
              </Link>
            )}
          </EmptyState>
        ) : error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </Dialog>
    );
  }
  const users = data.users.map(({ guid, name, login }) => ({ value: guid, label: `${name} (${login})` }));
  return (
    <FormDialog<Draft>
      title={title}
      {...(events.length === 0 ? {} : { description: labels.ofEvents(events.length) })}
      submitLabel={labels.create}
      fields={fieldsOf({ tickets: labels, ...others }, repositories, users)}
      initial={{
        repo_guid: repositories[0]?.guid ?? '',
        title: events[0]?.msg.slice(0, MAX_TITLE) ?? '',
        priority: highestOf(events.map(({ priority }) => priority)),
        content: '',
        assignees: [account.guid],
        approvers: [],
        incident: false,
        attack: false,
      }}
      onSubmit={async ({ content, priority, ...draft }) => {
        const { guid } = await call('POST /api/core/tickets', {
          ...draft,
          priority: PRIORITY_NUMBERS[PRIORITIES.find((name) => name === priority) ?? 'LOW'],
          ...(content === '' ? {} : { content }),
          ...(events.length === 0 ? {} : { event_guids: events.map((event) => event.guid) }),
        });
        showToast(labels.made);
        onDone(guid);
      }}
      onClose={onClose}
    />
  );
}

function fieldsOf(
  { tickets: labels, priority }: Labels,
  repositories: readonly Repository[],
  users: readonly { readonly value: string; readonly label: string }[],
): readonly FormField<Draft>[] {
  const repositoryOptions = repositories.map(({ guid, name }) => ({ value: guid, label: name }));
  const priorityOptions = PRIORITIES.map((value) => ({ value, label: priority[value] }));
  return [
    { kind: 'text', name: 'title', label: labels.title, isRequired: true, maxLength: MAX_TITLE },
    { kind: 'choice', name: 'repo_guid', label: labels.repository, options: repositoryOptions },
    { kind: 'choice', name: 'priority', label: labels.priority, options: priorityOptions },
    { kind: 'text', name: 'content', label: labels.content, isLong: true, maxLength: MAX_CONTENT },
    { kind: 'choices', name: 'assignees', label: labels.assignees, hint: labels.assigneesHint, options: users },
    { kind: 'choices', name: 'approvers', label: labels.approvers, hint: labels.approversHint, options: users },
    { kind: 'switch', name: 'incident', label: labels.incident },
    { kind: 'switch', name: 'attack', label: labels.attack },
  ];
}

const highestOf = (priorities: readonly PriorityName[]): PriorityName =>
  (['HIGH', 'MEDIUM'] as const).find((priority) => priorities.includes(priority)) ??
  (priorities.length === 0 ? 'MEDIUM' : 'LOW');
