// Sessions of connection profiles: so many of a profile at once as it allows, further statements wait. A session serves again
// only after a reset; one that cannot be reset, or is older than its profile, is closed.

import { checkedAddress, type ResolveHost } from '#connections/checked-address.ts';
import { isDatabase } from '#connections/profile-kinds.ts';
import { passwordOf } from '#connections/profiles.ts';
import type { HostList } from '#kernel/net/host-list.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';
import { Slots } from '#runtime/slots.ts';
import type { ConnectionProfileRow } from '#store/schema/schema.ts';
import type { Vault } from '#vault/vault.ts';
import { DatabaseUnreachable } from './database-failure.ts';
import type { DatabaseSession, DatabaseTarget } from './database-session.ts';

const IDLE = Temporal.Duration.from({ seconds: 30 });

export interface SessionPoolDeps {
  readonly hosts: HostList;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly resolve?: ResolveHost;
}

/** A session that a statement holds. */
export interface Lease {
  readonly session: DatabaseSession;
  /** Gives it back: it is reset before it serves again. */
  release(): Promise<void>;
}

interface ProfileSessions {
  readonly version: string;
  readonly permits: Slots;
  idle: IdleSession[];
  isOutdated: boolean;
}

interface IdleSession {
  readonly session: DatabaseSession;
  readonly since: Temporal.Instant;
}

export class SessionPool {
  readonly #deps: SessionPoolDeps;
  readonly #byProfile = new Map<string, ProfileSessions>();
  readonly #sweep: Disposable;
  #isClosed = false;

  constructor(deps: SessionPoolDeps) {
    this.#deps = deps;
    this.#sweep = new Periodic({ clock: deps.clock, period: IDLE, work: () => this.#closeIdle() });
  }

  close(): void {
    this.#isClosed = true;
    this.#sweep[Symbol.dispose]();
    for (const { idle } of this.#byProfile.values()) for (const { session } of idle) session.close();
    this.#byProfile.clear();
  }

  async lease(profile: ConnectionProfileRow, signal: AbortSignal): Promise<Lease> {
    const sessions = this.#sessionsOf(profile);
    const permit = await sessions.permits.acquire({ signal });
    try {
      const session = takeOpen(sessions) ?? (await this.open(profile));
      const release = async () => {
        try {
          await this.#putBack(session, sessions);
        } finally {
          permit[Symbol.dispose]();
        }
      };
      return { session, release };
    } catch (error) {
      permit[Symbol.dispose]();
      throw error;
    }
  }

  /** A session of its own, for a test of the profile too. Throws DatabaseUnreachable. */
  async open(profile: ConnectionProfileRow): Promise<DatabaseSession> {
    const target = await this.#targetOf(profile);
    const { openSession } = await import('./open-session.ts');
    return await openSession(target);
  }

  async #targetOf(profile: ConnectionProfileRow): Promise<DatabaseTarget> {
    const { kind, host, port, database, user, tls, ca, password_box } = profile;
    if (!isDatabase(kind) || host === null || port === null || database === null || user === null) {
      throw new DatabaseUnreachable();
    }
    const found = await checkedAddress({ host, port }, this.#deps.hosts, this.#deps.resolve);
    if (typeof found === 'string') throw new DatabaseUnreachable();
    const password = passwordOf(profile, this.#deps.vault);
    if (password_box !== null && password === undefined) throw new DatabaseUnreachable();
    const secrets = { password, tls: tls ?? 'verify', ca: ca ?? undefined };
    return { kind, host, address: found.address, port, database, user, ...secrets };
  }

  #sessionsOf(profile: ConnectionProfileRow): ProfileSessions {
    const { guid, max_connections } = profile;
    const version = JSON.stringify(profile);
    const known = this.#byProfile.get(guid);
    if (known?.version === version) return known;
    if (known) {
      known.isOutdated = true;
      for (const { session } of known.idle) session.close();
    }
    const made = { version, permits: new Slots({ total: max_connections }), idle: [], isOutdated: false };
    this.#byProfile.set(guid, made);
    return made;
  }

  async #putBack(session: DatabaseSession, sessions: ProfileSessions): Promise<void> {
    if (!session.isOpen) return;
    try {
      await session.reset();
    } catch {
      session.close();
    }
    if (!session.isOpen || sessions.isOutdated || this.#isClosed) session.close();
    else sessions.idle.push({ session, since: this.#deps.clock.now() });
  }

  #closeIdle(): void {
    const latest = this.#deps.clock.now().subtract(IDLE);
    for (const sessions of this.#byProfile.values()) {
      const isOld = ({ since }: IdleSession) => Temporal.Instant.compare(since, latest) <= 0;
      for (const { session } of sessions.idle.filter(isOld)) session.close();
      sessions.idle = sessions.idle.filter((one) => !isOld(one) && one.session.isOpen);
    }
  }
}

/** The one that was used last. */
function takeOpen(sessions: ProfileSessions): DatabaseSession | undefined {
  for (let one = sessions.idle.pop(); one; one = sessions.idle.pop()) if (one.session.isOpen) return one.session;
  return undefined;
}
