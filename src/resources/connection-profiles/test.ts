// POST /connection-profiles/:guid/test

import { DatabaseUnreachable } from '#connections/databases/database-failure.ts';
import type { SessionPool } from '#connections/databases/session-pool.ts';
import { isDatabase } from '#connections/profile-kinds.ts';
import { headersOf } from '#connections/profiles.ts';
import { httpFailure } from '#connections/web/http-reachable.ts';
import { notFound } from '#contract/errors.ts';
import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import type { ConnectionHosts } from '#objects/families/family.ts';
import { boolean, choice, int64, orNull, record, string } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';
import type { ConnectionProfileRow } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';

const REASONS = ['unreachable', 'refused', 'tls'] as const;
type Reason = (typeof REASONS)[number];

const MAX_WAIT = Temporal.Duration.from({ seconds: 15 });

interface Needs extends Call {
  readonly store: Store;
  readonly clock: Clock;
  readonly sessionPool: SessionPool;
  readonly connectionHosts: ConnectionHosts;
  readonly vault: Vault;
}

interface Found {
  readonly version: string | null;
  readonly error: Reason | null;
}

export const test = endpoint({
  title: 'Test connection profile',
  notes:
    'Connects once with the stored secrets and closes the connection; no statement of a query runs. `error` says ' +
    '`unreachable` also for a host that is not listed any more, `refused` where the other side does not accept the ' +
    'user or the headers, `tls` where its certificate or its encryption is not as demanded, and nothing more. A ' +
    'profile of the kind http gets one HEAD request for its base url, whose redirects are not followed.',
  method: 'POST',
  path: '/api/core/connection-profiles/:guid/test',
  access: 'ADMIN',
  audit: 'connection-profiles.test',
  params: { guid: guidOf('connection profile') },
  answer: record({
    ok: boolean('Whether the connection was made.'),
    elapsed: int64('Milliseconds that the test took.', 12),
    server_version: orNull(string)(
      'Version as the database gives it; null for hosts and without a connection.',
      '16.4',
    ),
    error: orNull(choice(REASONS))('Why the connection was not made; null where it was.'),
  }),

  async prepare({ guid }, { store, clock, sessionPool, connectionHosts, vault }: Needs) {
    const profile = await store.read((db) =>
      db.selectFrom('connection_profiles').selectAll().where('guid', '=', guid).executeTakeFirst(),
    );
    if (!profile) throw notFound('connection profile', guid);
    const begun = clock.now();
    const trial = isDatabase(profile.kind) ? connected(profile, sessionPool) : asked(profile, connectionHosts, vault);
    const late: Found = { version: null, error: 'unreachable' };
    const { version, error } = await withTimeout(clock, MAX_WAIT, trial, late);
    const elapsed = Math.round(clock.now().since(begun).total('milliseconds'));
    return { ok: error === null, elapsed, server_version: version, error };
  },

  run: async (_input, _call, result) => result,
});

async function connected(profile: ConnectionProfileRow, pool: SessionPool): Promise<Found> {
  try {
    const session = await pool.open(profile);
    session.close();
    return { version: session.version, error: null };
  } catch (error) {
    if (!(error instanceof DatabaseUnreachable)) throw error;
    return { version: null, error: error.reason };
  }
}

async function asked(profile: ConnectionProfileRow, hosts: ConnectionHosts, vault: Vault): Promise<Found> {
  const url = URL.parse(profile.url ?? '');
  const headers = headersOf(profile, vault);
  if (!url || !headers) return { version: null, error: 'unreachable' };
  const signal = AbortSignal.timeout(MAX_WAIT.total('milliseconds'));
  const error = await httpFailure({ url, headers, ca: profile.ca ?? undefined }, hosts.outbound, signal);
  return { version: null, error: error ?? null };
}
