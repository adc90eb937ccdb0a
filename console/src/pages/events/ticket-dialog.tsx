// A ticket of chosen events.

import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { failureText } from '#console/client/failure-text.ts';
import { Button } from '#console/components/button.tsx';
import { Dialog } from '#console/components/dialog.tsx';
import { TextArea, TextField } from '#console/components/field.tsx';
import { Select } from '#console/components/select.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { showToast } from '#console/components/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './events.module.css';
import { type EventRecord, PRIORITIES } from './events-search.ts';

/** Priorities of tickets are numbers. */
const PRIORITY_NUMBERS = { HIGH: 3, MEDIUM: 2, LOW: 1 } as const;
type Priority = keyof typeof PRIORITY_NUMBERS;
const MAX_TITLE = 255;

interface TicketDialogProps {
  readonly events: readonly EventRecord[];
  onClose(): void;
  onDone(): void;
}

export function TicketDialog({ events, onClose, onDone }: TicketDialogProps) {
  const { events: labels } = useLabels();
  const repositories = useAnswer('GET /api/core/ticket-repos', {});
  return (
    <Dialog isOpen onClose={onClose} title={labels.ticket} description={labels.chosen(events.length)}>
      <Answered answer={repositories}>
        {({ ticket_repos }) =>
          ticket_repos.length === 0 ? (
            <EmptyState icon="tickets" title={labels.noRepository} text={labels.noRepositoryText} />
          ) : (
            <TicketForm events={events} repositories={ticket_repos} onClose={onClose} onDone={onDone} />
          )
        }
      </Answered>
    </Dialog>
  );
}

interface TicketFormProps extends TicketDialogProps {
  readonly repositories: readonly { readonly guid: string; readonly name: string }[];
}

function TicketForm({ events, repositories, onClose, onDone }: TicketFormProps) {
  const labelsOfAll = useLabels();
  const { events: labels, priority: priorities, common } = labelsOfAll;
  const [repository, setRepository] = useState(repositories[0]?.guid ?? '');
  const [title, setTitle] = useState(events[0]?.msg.slice(0, MAX_TITLE) ?? '');
  const [priority, setPriority] = useState<Priority>(highestOf(events));
  const [content, setContent] = useState('');
  const [isSending, setSending] = useState(false);

  async function send() {
    setSending(true);
    try {
      await call('POST /api/core/tickets', {
        repo_guid: repository,
        title,
        priority: PRIORITY_NUMBERS[priority],
        ...(content === '' ? {} : { content }),
        event_guids: events.map(({ guid }) => guid),
      });
      showToast(labels.ticketMade);
      onDone();
    } catch (error) {
      showToast(failureText(error, labelsOfAll).text, 'failed');
      setSending(false);
    }
  }
  return (
    <form
      className={styles.ticket}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Select
        label={labels.repository}
        value={repository}
        options={repositories.map(({ guid, name }) => ({ value: guid, label: name }))}
        onChange={setRepository}
      />
      <TextField label={labels.title} required maxLength={MAX_TITLE} value={title} onChange={setTitle} />
      <Select<Priority>
        label={labels.priority}
        value={priority}
        options={PRIORITIES.map((value) => ({ value, label: priorities[value] }))}
        onChange={setPriority}
      />
      <TextArea label={labels.content} value={content} onChange={setContent} />
      <div className={styles.buttons}>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button kind="primary" type="submit" disabled={isSending || title === ''}>
          {labels.makeTicket}
        </Button>
      </div>
    </form>
  );
}

const highestOf = (events: readonly EventRecord[]): Priority =>
  (['HIGH', 'MEDIUM'] as const).find((priority) => events.some((event) => event.priority === priority)) ?? 'LOW';
