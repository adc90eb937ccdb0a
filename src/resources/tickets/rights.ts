// Rights on tickets: administrators, and users with a grant on the repository.

import type { Caller, Rightful } from '#access/caller.ts';
import { noPermission, notFound } from '#contract/errors.ts';
import { isAtLeast } from '#contract/values.ts';
import type { Db } from '#store/kysely.ts';
import type { TicketRow } from '#store/schema/event-schema.ts';
import { findTicket, hasWritingGrant } from './store.ts';

/** GUID of a MEMBER; undefined for administrators, who see all tickets. */
export const memberGuidOf = (caller: Rightful): string | undefined =>
  isAtLeast(caller.role, 'ADMIN') ? undefined : caller.userGuid;

export async function requireVisible(db: Db, guid: string, caller: Caller): Promise<TicketRow> {
  const ticket = await findTicket(db, guid, memberGuidOf(caller));
  if (!ticket) throw notFound('ticket', guid);
  return ticket;
}

export async function requireChangeable(db: Db, guid: string, caller: Caller): Promise<TicketRow> {
  const ticket = await requireVisible(db, guid, caller);
  await requireWriter(db, ticket.repo_guid, caller);
  return ticket;
}

export async function requireWriter(db: Db, repo: string, caller: Caller): Promise<void> {
  const member = memberGuidOf(caller);
  if (member !== undefined && !(await hasWritingGrant(db, repo, member))) throw noPermission();
}
