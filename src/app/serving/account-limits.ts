// Limits of single accounts, from the settings.

import { EventStreams } from '#access/limits/event-streams.ts';
import type { Quotas } from '#access/limits/quotas.ts';
import { RequestSlots } from '#access/limits/request-slots.ts';
import { AlarmTests } from '#detection/alarm-test.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { QueryWaits } from '#queries/query-waits.ts';
import type { Config } from '#settings/index.ts';

export function accountLimits(config: Config, deps: { readonly clock: Clock; readonly stopping: AbortSignal }) {
  const quotas: Quotas = {
    apiKeysPerUser: config['api-keys-per-user'],
    sessionsPerUser: config['sessions-per-user'],
    datasetsPerAccount: config['datasets-per-account'],
    dashboardsPerAccount: config['dashboards-per-account'],
  };
  return {
    alarmTests: new AlarmTests(),
    eventStreams: new EventStreams(config['streams-per-account']),
    queryWaits: new QueryWaits({ ...deps, slots: new RequestSlots(config['waits-per-account']) }),
    quotas,
  };
}
