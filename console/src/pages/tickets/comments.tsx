// The comments of a ticket, oldest first, and a field for the next one.

import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { Button } from '#console/components/button.tsx';
import { TextArea } from '#console/components/forms/field.tsx';
import { HistoryList } from '#console/components/history-list.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { isAt } from '#console/unsaved/holds.ts';
import { useUnsaved } from '#console/unsaved/use-unsaved.ts';
import styles from './tickets.module.css';
import type { Ticket } from './tickets-search.ts';
import { refusalText } from './use-moves.ts';
import { useTicketRefresh } from './use-tickets.ts';

const MAX_COMMENT = 100_000;
const REFRESH_MS = 15_000;

interface CommentsProps {
  readonly ticket: Ticket;
  readonly isWritable: boolean;
}

export function Comments({ ticket: { guid }, isWritable }: CommentsProps) {
  const { tickets: labels } = useLabels();
  const answer = useAnswer('GET /api/core/tickets/:guid/comments', { guid }, { every: REFRESH_MS });
  return (
    <div className={styles.part}>
      <Answered answer={answer} lines={2}>
        {({ comments }) =>
          comments.length === 0 ? (
            <p className={styles.note}>{labels.noComments}</p>
          ) : (
            <HistoryList
              label={labels.parts.comments}
              entries={comments.map((comment) => ({
                key: comment.guid,
                title: comment.user_name ?? labels.removedUser,
                at: comment.created,
                note: comment.content,
              }))}
            />
          )
        }
      </Answered>
      {isWritable ? <NewComment guid={guid} /> : <p className={styles.note}>{labels.readOnly}</p>}
    </div>
  );
}

function NewComment({ guid }: { readonly guid: string }) {
  const labels = useLabels();
  const refresh = useTicketRefresh();
  const [content, setContent] = useState('');
  const [mistake, setMistake] = useState<string>();
  const [isSending, setSending] = useState(false);
  const hold = useUnsaved(content.trim() !== '', {
    staysAt: (next) => isAt(next, '/tickets', { ticket: guid }) && (next.search.part ?? 'comments') === 'comments',
  });

  async function send() {
    setSending(true);
    setMistake(undefined);
    try {
      await hold.during(call('POST /api/core/tickets/:guid/comments', { guid, content }));
      setContent('');
    } catch (error) {
      setMistake(refusalText(error, labels));
    }
    setSending(false);
    await refresh();
  }
  return (
    <form
      className={styles.part}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextArea
        label={labels.tickets.comment}
        value={content}
        maxLength={MAX_COMMENT}
        mistake={mistake}
        onChange={setContent}
      />
      <div>
        <Button type="submit" kind="primary" size="small" disabled={isSending || content.trim() === ''}>
          {labels.tickets.addComment}
        </Button>
      </div>
    </form>
  );
}
