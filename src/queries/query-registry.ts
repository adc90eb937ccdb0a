// Queries by id, in the order of acceptance. Their number is bounded: the oldest finished query is evicted. A long text
// weighs more than one query, because it is kept with its query.

import type { Ceiling } from './limits.ts';
import type { LiveQuery } from './live-query.ts';

const CHARACTERS_PER_WEIGHT = 16_384;

export class QueryRegistry {
  readonly #limits: Ceiling;
  readonly #queries = new Map<number, LiveQuery>();
  readonly #byAccount = new Map<string, number>();
  #inAll = 0;
  /** Called for every evicted query. */
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

  ids(): IterableIterator<number> {
    return this.#queries.keys();
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
    while (this.#inAll > this.#limits.total && this.#evictOldest(() => true));
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
