// The ticket repositories that the reader may write to: tickets, comments, priorities.

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call } from '#console/client/call.ts';
import { type Account, useAccount } from '#console/client/session.ts';
import { isAtLeast } from '#contract/values.ts';

export interface Repository {
  readonly guid: string;
  readonly name: string;
}

/** So many are looked at one by one for their grants. */
const MAX_REPOSITORIES = 100;

export function useWritableRepositories(): UseQueryResult<readonly Repository[]> {
  const account = useAccount();
  return useQuery({
    queryKey: ['GET /api/core/ticket-repos', 'writable', account.guid],
    queryFn: () => writableRepositories(account),
  });
}

export async function writableRepositories({ guid: user, role_name }: Account): Promise<readonly Repository[]> {
  const { ticket_repos } = await call('GET /api/core/ticket-repos', { limit: MAX_REPOSITORIES });
  const repositories = ticket_repos.map(({ guid, name }) => ({ guid, name }));
  if (isAtLeast(role_name, 'ADMIN')) return repositories;
  const { users } = await call('GET /api/core/users', { guids: [user] });
  const own = new Set([user, ...(users[0]?.user_group_guids ?? [])]);
  const granted = await Promise.all(
    repositories.map(async ({ guid }) => {
      const { ticket_repo } = await call('GET /api/core/ticket-repos/:guid', { guid });
      const grants = [...(ticket_repo?.shared_users ?? []), ...(ticket_repo?.shared_groups ?? [])];
      return grants.some((grant) => own.has(grant.guid) && !grant.read_only);
    }),
  );
  return repositories.filter((_, index) => granted[index]);
}
