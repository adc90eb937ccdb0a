// A ticket repository. Its grants control access to its tickets, not to the repository.

import { family } from '#objects/families/family.ts';
import { named, sharedGroups, sharedUsers } from '#objects/families/fields.ts';

export const ticketRepos = family({
  path: 'ticket-repos',
  thing: 'ticket repository',
  things: 'ticket repositories',
  singular: 'ticket_repo',
  plural: 'ticket_repos',
  table: 'ticket_repos',
  hasDryRun: true,
  fields: { ...named, shared_users: sharedUsers, shared_groups: sharedGroups },
  meanings: {
    shared_users: 'Users that may see and work on the tickets.',
    shared_groups: 'User groups that may see and work on the tickets.',
  },
  notes: {
    get: 'Grants are shown as far as their holders are.',
    update: 'Replaces, and so do the grants: those to users and groups that the caller may see.',
  },
});
