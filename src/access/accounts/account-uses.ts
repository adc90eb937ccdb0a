// When keys and sessions were last used, here and on other nodes. Told to these every second, and written down from time to time: a
// request must not wait for the database.

import type { Caller } from '#access/caller.ts';
import type { SharedNumbers } from '#cluster/numbers.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { Store } from '#store/store.ts';

/** Lifetime of a console session, however much it is used. */
export const SESSION_LIFE = Temporal.Duration.from({ hours: 30 * 24 });
export const SESSION_LIFE_MS = SESSION_LIFE.total('milliseconds');
/** The longest idle_timeout of an account. */
const MAX_IDLE_MS = 86_400_000;
/** Within this time the last use of a session is written down by the node that has met it. */
const UNWRITTEN_MS = 60_000;

/** A stored time that lies further ahead was written while a clock was wrong. */
const AHEAD_MS = 60_000;

/** Epoch milliseconds by the GUID of a key or session. */
type Times = Map<string, number>;

export class AccountUses {
  readonly #numbers: SharedNumbers;
  readonly #keys: Times = new Map();
  readonly #sessions: Times = new Map();
  /** Of keys and sessions that other nodes have met and may not have written down yet. */
  readonly #elsewhere: Times = new Map();

  #isMet = false;
  #writes = 0;

  constructor(numbers: SharedNumbers) {
    this.#numbers = numbers;
    numbers.on('uses', (guid, at) => {
      if (at > (this.#elsewhere.get(guid) ?? 0)) this.#elsewhere.set(guid, at);
    });
  }

  /** Whether this process has met any. */
  get isMet(): boolean {
    return this.#isMet;
  }

  /** Grows when times have been written down: a row that was read before may be older than what is known here after it. */
  get writes(): number {
    return this.#writes;
  }

  used({ keyGuid, sessionGuid }: Caller, now: number): void {
    this.#isMet = true;
    this.#keys.set(keyGuid, now);
    this.#numbers.raise('uses', keyGuid, now);
    if (!sessionGuid) return;
    this.#sessions.set(sessionGuid, now);
    this.#numbers.raise('uses', sessionGuid, now);
  }

  /** Of a key or session; undefined where the database has it. */
  lastOf(guid: string): number | undefined {
    const own = this.#keys.get(guid) ?? this.#sessions.get(guid);
    const elsewhere = this.#elsewhere.get(guid);
    return own === undefined && elsewhere === undefined ? undefined : Math.max(own ?? 0, elsewhere ?? 0);
  }

  /** Also deletes the sessions that are over. False where there was nothing to write. */
  async write(store: Store, now: number): Promise<boolean> {
    for (const [guid, at] of this.#elsewhere) if (at < now - UNWRITTEN_MS) this.#elsewhere.delete(guid);
    if (this.#keys.size === 0 && this.#sessions.size === 0) return false;
    const keys = [...this.#keys];
    const sessions = [...this.#sessions];
    await store.write(async (db) => {
      // Another node may have met and written down a later use.
      for (const [guid, last_used] of keys) {
        const key = db.updateTable('api_keys').set({ last_used }).where('guid', '=', guid);
        await key
          .where((eb) =>
            eb.or([
              ...[eb('last_used', 'is', null), eb('last_used', '<', last_used)],
              eb('last_used', '>', now + AHEAD_MS),
            ]),
          )
          .execute();
      }
      for (const [guid, last_seen] of sessions) {
        const session = db.updateTable('sessions').set({ last_seen }).where('guid', '=', guid);
        await session
          .where((eb) => eb.or([eb('last_seen', '<', last_seen), eb('last_seen', '>', now + AHEAD_MS)]))
          .execute();
      }
      await deleteEnded(db, now);
    });
    this.#writes += 1;
    forgetWritten(this.#keys, keys);
    forgetWritten(this.#sessions, sessions);
    return true;
  }
}

/** Looks first: to other nodes a removal is a change, whether or not it finds rows. */
async function deleteEnded(db: Db, now: number): Promise<void> {
  const rows = await db
    .selectFrom('sessions')
    .select('guid')
    .where((eb) =>
      eb.or([eb('last_seen', '<', now - MAX_IDLE_MS - UNWRITTEN_MS), eb('created_at', '<=', now - SESSION_LIFE_MS)]),
    )
    .execute();
  await inChunks(rows, (chunk) =>
    db
      .deleteFrom('sessions')
      .where(
        'guid',
        'in',
        chunk.map(({ guid }) => guid),
      )
      .execute(),
  );
}

function forgetWritten(times: Times, written: readonly (readonly [string, number])[]): void {
  for (const [guid, at] of written) if (times.get(guid) === at) times.delete(guid);
}
