// The queries that are known by their id, in the order of their acceptance. There may be so many of them: of those that
// have ended the oldest makes room. A long text counts more than once, because it is kept with its query.

import type { Ceiling } from './limits.ts';
import type { LiveQuery } from './live-query.ts';

const CHARACTERS_PER_WEIGHT = 16_384;

export class QueryRegistry {
  readonly #limits: Ceiling;
  readonly #queries = new Map<number, LiveQuery>();
  readonly #byAccount = new Map<string, number>();
  #inAll = 0;
  /** Told of every query that had to make room. */
  readonly #onEvict: (query: LiveQuery) => void;

  constructor(most: Ceiling, forgotten: (query: LiveQuery) => void) {
    this.#limits = most;
    this.#onEvict = forgotten;
  }

  get size(): number {
    return this.#queries.size;
  }

  get(id: number): LiveQuery | undefined {
    return this.#queries.get(id);
  }

  has(id: number): boolean {
    return this.#queries.has(id);
  }

  all(): IterableIterator<LiveQuery> {
    return this.#queries.values();
  }

  add(query: LiveQuery): void {
    this.#queries.set(query.id, query);
    this.#count(query, weightOf(query));
    const account = accountOf(query);
    while (
      this.#weightOfAccount(account) > this.#limits.perAccount &&
      this.#evictOldest((other) => accountOf(other) === account)
    );
    while (this.#inAll > this.#limits.inAll && this.#evictOldest(() => true));
  }

  delete(query: LiveQuery): void {
    if (this.#queries.delete(query.id)) this.#count(query, -weightOf(query));
  }

  #evictOldest(isMeant: (query: LiveQuery) => boolean): boolean {
    const oldest = this.#queries.values().find((query) => query.isFinished && isMeant(query));
    if (!oldest) return false;
    this.delete(oldest);
    this.#onEvict(oldest);
    return true;
  }

  #count(query: LiveQuery, weight: number): void {
    this.#inAll += weight;
    const account = accountOf(query);
    const left = this.#weightOfAccount(account) + weight;
    if (left > 0) this.#byAccount.set(account, left);
    else this.#byAccount.delete(account);
  }

  #weightOfAccount(account: string): number {
    return this.#byAccount.get(account) ?? 0;
  }
}

const accountOf = ({ request }: LiveQuery): string => request.caller.userGuid;
const weightOf = ({ request }: LiveQuery): number => 1 + Math.floor(request.text.length / CHARACTERS_PER_WEIGHT);
