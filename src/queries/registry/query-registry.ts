// Queries by id, in the order of acceptance. Their number is bounded: the oldest finished query is evicted. A query with a long
// text, large constants, tags or many columns counts as several, because these are kept with it.

import { keptCharacters } from '#queries/limits/kept-characters.ts';
import type { Ceiling } from '#queries/limits/limits.ts';
import type { LiveQuery } from '#queries/live-query.ts';

const CHARACTERS_PER_WEIGHT = 16_384;

export class QueryRegistry {
  readonly #limits: Ceiling;
  readonly #queries = new Map<number, LiveQuery>();
  readonly #weights = new Map<number, number>();
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
    this.weigh(query);
  }

  /** Call when the kept parts of a query have changed. Evicts other queries if the limits are exceeded. */
  weigh(query: LiveQuery): void {
    if (!this.#queries.has(query.id)) return;
    this.#count(query, weightOf(query));
    const account = accountOf(query);
    while (
      this.#weightOfAccount(account) > this.#limits.perAccount &&
      this.#evictOldest((other) => other !== query && accountOf(other) === account)
    );
    while (this.#inAll > this.#limits.total && this.#evictOldest((other) => other !== query));
  }

  delete(query: LiveQuery): void {
    if (!this.#queries.delete(query.id)) return;
    this.#count(query, 0);
    this.#weights.delete(query.id);
  }

  #evictOldest(isMeant: (query: LiveQuery) => boolean): boolean {
    const oldest = this.#queries.values().find((query) => query.isFinished && isMeant(query));
    if (!oldest) return false;
    this.delete(oldest);
    this.#onEvict(oldest);
    return true;
  }

  /** Replaces the weight that the query was counted with. */
  #count(query: LiveQuery, weight: number): void {
    const change = weight - (this.#weights.get(query.id) ?? 0);
    this.#weights.set(query.id, weight);
    this.#inAll += change;
    const account = accountOf(query);
    const left = this.#weightOfAccount(account) + change;
    if (left > 0) this.#byAccount.set(account, left);
    else this.#byAccount.delete(account);
  }

  #weightOfAccount(account: string): number {
    return this.#byAccount.get(account) ?? 0;
  }
}

const accountOf = ({ request }: LiveQuery): string => request.caller.userGuid;
const weightOf = (query: LiveQuery): number => 1 + Math.floor(keptCharacters(query) / CHARACTERS_PER_WEIGHT);
