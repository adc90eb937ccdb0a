// Ticket repositories: their grants decide who sees tickets and works on them.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import {
  descriptionValue,
  namedFields,
  nameValue,
  type Sharing,
  sentSharing,
  sharingFacts,
  sharingFields,
  sharingOf,
  timeValues,
} from './values.tsx';

type Listed = AnswerFor<'GET /api/core/ticket-repos'>['ticket_repos'][number];
type TicketRepository = NonNullable<AnswerFor<'GET /api/core/ticket-repos/:guid'>['ticket_repo']>;

interface Draft extends Sharing {
  readonly name: string;
  readonly description: string;
}

const bodyOf = ({ name, description, ...sharing }: Draft) => ({
  name,
  ...present({ description }),
  ...sentSharing(sharing),
});

export const ticketRepos = defineFamily<Listed, TicketRepository, Draft>({
  id: 'ticket-repos',
  readers: 'MEMBER',
  writers: 'ADMIN',
  needs: ['users', 'groups'],
  list: listed('GET /api/core/ticket-repos', (answer) => answer.ticket_repos),
  get: async (guid) => (await call('GET /api/core/ticket-repos/:guid', { guid })).ticket_repo,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values: (context) => [nameValue(context), descriptionValue(context), ...timeValues<Listed>(context)],
  facts: (context) => sharingFacts<TicketRepository>(context),
  fields: (context) => [...namedFields<Draft>(context, 255), ...sharingFields<Draft>(context)],
  draftOf: (repository) => ({
    name: repository?.name ?? '',
    description: repository?.description ?? '',
    ...sharingOf(repository),
  }),
  create: async (draft) => ({ key: (await call('POST /api/core/ticket-repos', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/ticket-repos/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids, { isDryRun }) => call('DELETE /api/core/ticket-repos', { guids, dry_run: isDryRun }),
  hasDryRun: true,
});
