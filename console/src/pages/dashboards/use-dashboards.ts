// Reading and writing of dashboards.

import { useQueryClient } from '@tanstack/react-query';
import type { RequestFor } from '#client/call.ts';
import { keyOf, useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import type { Dashboard } from './dashboard.ts';

export const useDashboards = () => useAnswer('GET /api/core/dashboards', {});

export const useDashboard = (guid: string | undefined) =>
  useAnswer('GET /api/core/dashboards/:guid', { guid: guid ?? '' }, { isEnabled: guid !== undefined });

/** Resolves when lists and dashboards are to be read anew. */
export function useDashboardRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: keyOf('GET /api/core/dashboards') });
    await client.invalidateQueries({ queryKey: keyOf('GET /api/core/dashboards/:guid') });
  };
}

type Change = Partial<Omit<RequestFor<'PUT /api/core/dashboards/:guid'>, 'guid'>>;

/** An update replaces all fields, so that those which stay are sent as they are. */
export async function changeDashboard(dashboard: Dashboard, change: Change): Promise<void> {
  const { guid, name, description, layout, shared_users, shared_groups } = dashboard;
  const grants = (given: Dashboard['shared_users']) =>
    given.map(({ guid: holder, read_only }) => ({ guid: holder, read_only }));
  await call('PUT /api/core/dashboards/:guid', {
    guid,
    name,
    ...(description === undefined ? {} : { description }),
    layout,
    shared_users: grants(shared_users),
    shared_groups: grants(shared_groups),
    ...change,
  });
}
