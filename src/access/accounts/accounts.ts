// Finds the account of an API key or a session. Accounts are cached while no other process can change them, and the
// cache is cleared with every change, so a revocation acts on the next request.

import { type Caller, onBehalfOf } from '#access/caller.ts';
import type { NamedAccount } from '#cluster/calls/signed-header.ts';
import { SUM_OF_CHANGES } from '#cluster/changes/feed.ts';
import type { Cluster, RowCache } from '#cluster/cluster.ts';
import type { KeyScope, Locale, Role } from '#contract/values.ts';
import { type AddressSet, addressSet } from '#kernel/net/address.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { ignoreFailure, Periodic } from '#runtime/periodic.ts';
import type { Row } from '#store/connection.ts';
import type { Store } from '#store/store.ts';
import { AccountUses, SESSION_LIFE_MS } from './account-uses.ts';
import { hashOf } from './keys.ts';
import { SharedReads } from './shared-reads.ts';

const FLUSH_PERIOD = Temporal.Duration.from({ seconds: 30 });
/** Foreground queries of a session that is over have been cancelled after this long. */
const SETTLED_MS = 10_000;

/** A request that brings a key or a session. */
export interface AccountRequest {
  readonly remoteIp: string;
  /** False for a request that a client repeats by itself: it does not keep its session alive. */
  readonly isActivity?: boolean;
}

/** Finds the caller of a request with the account that is being read; undefined where there is none. */
export type FindCaller = (request: AccountRequest) => Promise<Caller | undefined>;

/** What a request brings, as it is stored. */
interface Credential {
  readonly by: keyof typeof FIND;
  readonly value: string;
}

const nameOf = ({ by, value }: Credential): string => `${by} ${value}`;

interface Account {
  readonly caller: Caller;
  readonly expiresAt: number | undefined;
  readonly trusted: readonly AddressSet[];
  readonly keySeen: number;
  readonly sessionSeen: number;
  /** End of the session, however much it is used; undefined for a key. */
  readonly sessionEnd: number | undefined;
}

/** Epoch milliseconds. */
interface SessionEnds {
  /** However much the session is used. */
  readonly lastEnd: number;
  /** Without a further request. */
  readonly idleEnd: number;
}

const ACCOUNT = `select k.guid as key_guid, k.session as key_session, k.scope as key_scope, k.expires_at, k.trust_hosts as key_hosts, k.last_used,
  u.guid as user_guid, u.login, u.name, u.role, u.company_guid, u.locale, u.time_zone, u.trust_hosts, u.idle_timeout,
  ${SUM_OF_CHANGES} as changes`;
const FIND = {
  key: `${ACCOUNT} from api_keys k join users u on u.guid = k.user_guid where k.hash = ?`,
  keyGuid: `${ACCOUNT} from api_keys k join users u on u.guid = k.user_guid where k.guid = ?`,
  session: `${ACCOUNT}, s.guid as session_guid, s.last_seen, s.created_at as session_opened
    from sessions s join api_keys k on k.guid = s.key_guid join users u on u.guid = k.user_guid where s.hash = ?`,
};

const BY_USER = `select '' as key_guid, 0 as key_session, 'all' as key_scope, null as expires_at, '[]' as key_hosts, null as last_used,
  u.guid as user_guid, u.login, u.name, u.role, u.company_guid, u.locale, u.time_zone, u.trust_hosts, u.idle_timeout
  from users u where u.guid = ?`;
const KEY_HOSTS = 'select trust_hosts as key_hosts from api_keys where guid = ?';

const RUNS_OF_SERVICE = `select 1 as one from scheduled_queries where owner_guid = ?
  union all select 1 as one from rules where user_guid = ? limit 1`;

const KEY_SESSION = `select k.session, k.expires_at, k.last_used as seen, u.idle_timeout
  from api_keys k join users u on u.guid = k.user_guid where k.guid = ?`;
const COOKIE_SESSION = `select k.session, k.expires_at, s.last_seen as seen, s.created_at as opened, u.idle_timeout
  from sessions s join api_keys k on k.guid = s.key_guid join users u on u.guid = k.user_guid where s.guid = ?`;

export class Accounts {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #cluster: Pick<Cluster, 'seen'>;
  readonly #flushing: Disposable;
  readonly #known: RowCache<Account>;
  readonly #reads = new SharedReads<Account | undefined>();
  readonly #uses: AccountUses;
  readonly #listeners: (() => void)[] = [];

  constructor(store: Store, clock: Clock, cluster: Pick<Cluster, 'cache' | 'numbers' | 'seen'>) {
    this.#store = store;
    this.#clock = clock;
    this.#cluster = cluster;
    this.#known = cluster.cache();
    this.#uses = new AccountUses(cluster.numbers);
    // The store reports its failures itself; unwritten times are written with the next flush.
    this.#flushing = new Periodic({ clock, period: FLUSH_PERIOD, work: () => this.flush(), failed: ignoreFailure });
  }

  /** Begins to read the account of a key. */
  ofKey(key: string): FindCaller {
    return this.#begin({ by: 'key', value: hashOf(key) });
  }

  /** Begins to read the account of a session. */
  ofSession(token: string): FindCaller {
    return this.#begin({ by: 'session', value: hashOf(token) });
  }

  byKey(key: string, request: AccountRequest): Promise<Caller | undefined> {
    return this.ofKey(key)(request);
  }

  /** The account of a stored key: for a sign-in code that stands for it. */
  byKeyGuid(guid: string, request: AccountRequest): Promise<Caller | undefined> {
    return this.#begin({ by: 'keyGuid', value: guid })(request);
  }

  bySession(token: string, request: AccountRequest): Promise<Caller | undefined> {
    return this.ofSession(token)(request);
  }

  /** An account as it is now, for a query that another node has; undefined for one that does not exist. */
  async byUser(guid: string): Promise<Caller | undefined> {
    const [row] = await this.#store.reader.all(BY_USER, [guid]);
    return row && accountOf(row).caller;
  }

  /** As `byUser`; a run of the service on behalf of the account is one of an account that owns a schedule or a rule. */
  async byName({ guid, isService }: NamedAccount): Promise<Caller | undefined> {
    const caller = await this.byUser(guid);
    if (!caller || !isService) return caller;
    const runs = await this.#store.reader.all(RUNS_OF_SERVICE, [guid, guid]);
    return runs.length > 0 ? onBehalfOf(caller) : undefined;
  }

  /** Call after every change to users, keys or sessions. */
  forget(): void {
    this.#known.clear();
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` whenever accounts, keys or sessions may have changed. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Whether the session of a caller is still valid: that of its cookie, or the implicit one of its key. It ends with
   * the key, by DELETE, and after its idle timeout; an attended session is not idle.
   */
  async isInSession(caller: Caller, { isAttended }: { isAttended: boolean }): Promise<boolean> {
    const session = await this.#sessionOf(caller);
    const now = this.#clock.now().epochMilliseconds;
    if (!session || session.lastEnd <= now) return false;
    return isAttended || session.idleEnd > now;
  }

  /**
   * A caller as its account is now, with its present role; undefined where the account has gone or no longer trusts the address.
   * Its session is not looked at.
   */
  async present(caller: Caller, remoteIp: string): Promise<Caller | undefined> {
    const [row] = await this.#store.reader.all(BY_USER, [caller.userGuid]);
    if (!row) return undefined;
    const [key] = await this.#store.reader.all(KEY_HOSTS, [caller.keyGuid]);
    const account = accountOf({ ...row, ...key });
    if (!isTrusted(account, remoteIp)) return undefined;
    const { role, companyGuid, login, name } = account.caller;
    return { ...caller, role, companyGuid, login, name };
  }

  /** As `present`; undefined where the session of the caller has ended, too. */
  async presentInSession(
    caller: Caller,
    { remoteIp, isAttended }: { readonly remoteIp: string; readonly isAttended: boolean },
  ): Promise<Caller | undefined> {
    if (!(await this.isInSession(caller, { isAttended }))) return undefined;
    return await this.present(caller, remoteIp);
  }

  /** When the session of a caller ends without a further request; now where it has ended already. */
  async endOfSession(caller: Caller): Promise<Temporal.Instant> {
    const session = await this.#sessionOf(caller);
    if (!session) return this.#clock.now();
    return Temporal.Instant.fromEpochMilliseconds(Math.min(session.lastEnd, session.idleEnd));
  }

  /** Undefined for a session that has been ended. */
  async #sessionOf({ keyGuid, keySession, sessionGuid }: Caller): Promise<SessionEnds | undefined> {
    const [sql, guid] = sessionGuid ? [COOKIE_SESSION, sessionGuid] : [KEY_SESSION, keyGuid];
    // What is written down meanwhile is missing in the row and afterwards.
    const before = this.#uses.lastOf(guid) ?? 0;
    const [row] = await this.#store.reader.all(sql, [guid]);
    if (!row || (!sessionGuid && Number(row.session) !== keySession)) return undefined;
    const keyEnd = row.expires_at === null ? Number.POSITIVE_INFINITY : Number(row.expires_at);
    const ownEnd = sessionGuid ? Number(row.opened) + SESSION_LIFE_MS : Number.POSITIVE_INFINITY;
    const seen = Math.max(Number(row.seen ?? 0), before, this.#uses.lastOf(guid) ?? 0);
    return { lastEnd: Math.min(keyEnd, ownEnd), idleEnd: seen + 1000 * Number(row.idle_timeout) };
  }

  /** Whether somebody has used the service since it was started. */
  get isUsed(): boolean {
    return this.#uses.isMet;
  }

  /** Last use of a key, if newer than the row in the database. */
  lastUsed(keyGuid: string): number | undefined {
    return this.#uses.lastOf(keyGuid);
  }

  /** Writes the last use of keys and sessions, and deletes the sessions that are over. */
  async flush(): Promise<void> {
    if (await this.#uses.write(this.#store, this.#clock.nowMs())) this.forget();
  }

  async close(): Promise<void> {
    this.#flushing[Symbol.dispose]();
    await this.flush();
  }

  #begin(credential: Credential): FindCaller {
    const name = nameOf(credential);
    const known = this.#known.get(name);
    if (known) return async (request) => this.#callerOf(known, request);
    const reading = this.#reads.read(name, () => this.#read(credential));
    // It may fail before it is asked for, or without being asked for.
    reading.catch(() => undefined);
    return async (request) => this.#callerOf(await reading, request);
  }

  #callerOf(account: Account | undefined, { remoteIp, isActivity = true }: AccountRequest): Caller | undefined {
    const now = this.#clock.nowMs();
    if (!account || !this.#isValid(account, now)) return undefined;
    if (!isTrusted(account, remoteIp)) return undefined;
    if (isActivity || this.#beginsSession(account, now)) this.#uses.used(account.caller, now);
    return account.caller;
  }

  /** Whether a request begins an implicit session of its key, whatever it says of itself: none has begun, or the last is over. */
  #beginsSession({ caller, keySeen }: Account, now: number): boolean {
    if (caller.sessionGuid) return false;
    const lastUsed = Math.max(keySeen, this.#uses.lastOf(caller.keyGuid) ?? 0);
    return lastUsed + caller.idleTimeout.total('milliseconds') + SETTLED_MS <= now;
  }

  #isValid({ caller, expiresAt, sessionSeen, sessionEnd }: Account, now: number): boolean {
    if ((expiresAt !== undefined && expiresAt <= now) || (sessionEnd !== undefined && sessionEnd <= now)) return false;
    if (!caller.sessionGuid) return true;
    const lastSeen = Math.max(sessionSeen, this.#uses.lastOf(caller.sessionGuid) ?? 0);
    return lastSeen + caller.idleTimeout.total('milliseconds') > now;
  }

  async #read(credential: Credential): Promise<Account | undefined> {
    const keep = this.#known.reading();
    const { writes } = this.#uses;
    const [row] = await this.#store.reader.all(FIND[credential.by], [credential.value], { isPrepared: true });
    if (this.#uses.writes > writes) return await this.#read(credential);
    if (!row) return undefined;
    this.#cluster.seen(Number(row.changes));
    const account = accountOf(row);
    keep(nameOf(credential), account);
    return account;
  }
}

const isTrusted = ({ trusted }: Account, remoteIp: string): boolean => trusted.every((hosts) => hosts.has(remoteIp));

function accountOf(row: Row): Account {
  const hosts = [row.key_hosts, row.trust_hosts].map((json) => addressSet(JSON.parse(String(json))));
  const caller = {
    userGuid: String(row.user_guid),
    login: String(row.login),
    name: String(row.name),
    role: row.role as Role, // Written by this service, from the closed set.
    companyGuid: String(row.company_guid),
    locale: row.locale as Locale,
    ...(row.time_zone === null ? {} : { timeZone: String(row.time_zone) }),
    idleTimeout: Temporal.Duration.from({ seconds: Number(row.idle_timeout) }),
    keyGuid: String(row.key_guid),
    keyScope: row.key_scope as KeyScope,
    keySession: Number(row.key_session),
    ...(row.session_guid ? { sessionGuid: String(row.session_guid) } : {}),
  };
  return {
    caller,
    expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
    trusted: hosts.filter((trusted) => !trusted.isEmpty),
    keySeen: Number(row.last_used ?? 0),
    sessionSeen: Number(row.last_seen ?? 0),
    sessionEnd: row.session_guid ? Number(row.session_opened) + SESSION_LIFE_MS : undefined,
  };
}
