// Sealing of events and tickets from encrypted tables: their texts are stored as one sealed text, so that the metadata database
// reveals nothing without the keys folder. The plain columns are empty, and suppress keys are compared by their MACs.

import { MASK } from '#contract/secret-names.ts';
import { searchText } from '#kernel/text/search-text.ts';
import type { EventRow, NewEvent, NewTicket, TicketRow } from '#store/schema/event-schema.ts';
import { eventLabel, ticketLabel } from '#vault/sealed/everything-sealed.ts';
import type { Sealing } from '#vault/sealed/sealing.ts';
import type { RuleVersion } from './raise-input.ts';

/** The stored suppress key: plain, or its MAC for the rule. */
export function comparableKey(key: string, { kind, guid }: RuleVersion, sealing: Sealing | undefined): string {
  return sealing ? sealing.mark(key, `suppress key ${kind} ${guid}`) : key;
}

/** `key` is the plain suppress key. */
export function sealEvent(event: NewEvent, key: string, sealing: Sealing | undefined): NewEvent {
  if (!sealing) return event;
  const texts: EventTexts = { msg: event.msg, suppress_key: key, fields: event.fields };
  return {
    ...event,
    msg: '',
    fields: '{}',
    search: searchText([event.rule_name]),
    sealed: sealing.seal(JSON.stringify(texts), eventLabel(event.guid)),
  };
}

export function sealTicket(ticket: NewTicket, sealing: Sealing | undefined): NewTicket {
  if (!sealing) return ticket;
  const texts: TicketTexts = { title: ticket.title, content: ticket.content ?? null };
  return {
    ...ticket,
    title: '',
    content: null,
    search: '',
    sealed: sealing.seal(JSON.stringify(texts), ticketLabel(ticket.guid)),
  };
}

type EventTexts = Pick<EventRow, 'msg' | 'suppress_key' | 'fields'>;
type TicketTexts = Pick<TicketRow, 'title' | 'content'>;

const CLOSED_EVENT: EventTexts = { msg: MASK, suppress_key: MASK, fields: JSON.stringify(MASK) };
const CLOSED_TICKET: TicketTexts = { title: MASK, content: MASK };

/** The row with decrypted texts; `***` for each where decryption fails. */
export function openEvent<R extends Pick<EventRow, 'guid' | 'sealed'>>(row: R, sealing: Sealing | undefined): R {
  if (row.sealed === null) return row;
  return { ...row, ...(opened<EventTexts>(row.sealed, eventLabel(row.guid), sealing) ?? CLOSED_EVENT) };
}

export function openTicket<R extends Pick<TicketRow, 'guid' | 'sealed'>>(row: R, sealing: Sealing | undefined): R {
  if (row.sealed === null) return row;
  return { ...row, ...(opened<TicketTexts>(row.sealed, ticketLabel(row.guid), sealing) ?? CLOSED_TICKET) };
}

function opened<T>(box: string, label: string, sealing: Sealing | undefined): T | undefined {
  const text = sealing?.open(box, label);
  // Authenticated decryption: a text that opens under its label was sealed above.
  return text === undefined ? undefined : (JSON.parse(text) as T);
}
