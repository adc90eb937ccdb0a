// The text of a ticket. Tickets of rules hold the fields of their first event as JSON.

import { Fact, Facts } from '#console/components/record-panel.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './tickets.module.css';
import type { Ticket } from './tickets-search.ts';

export function TicketContent({ ticket: { content, format } }: { readonly ticket: Ticket }) {
  const { tickets: labels } = useLabels();
  if (content === undefined || content === '') return undefined;
  const fields = format === 'JSON' ? fieldsIn(content) : undefined;
  return (
    // The fields are many, and stand in the event as well.
    <details className={styles.text} open={fields === undefined}>
      <summary>{labels.content}</summary>
      {fields ? (
        <Facts>
          {Object.entries(fields).map(([name, value]) => (
            <Fact key={name} name={name}>
              {typeof value === 'string' ? value : JSON.stringify(value)}
            </Fact>
          ))}
        </Facts>
      ) : (
        <p className={styles.plain}>{content}</p>
      )}
    </details>
  );
}

/** Undefined for a text that is no object of JSON: it is shown as it stands. */
function fieldsIn(content: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
