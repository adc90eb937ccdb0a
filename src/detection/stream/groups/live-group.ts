// An address group in memory for stream rules. Single addresses, which are many and change often, are hashed; networks are few
// and sorted. Expired entries do not match.

import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { addressKey, addressOf, ipv4Of } from '#query/values/addresses/addresses.ts';

export interface GroupEntry {
  readonly ip: string;
  /** Epoch milliseconds; null for never. */
  readonly expires_at: number | null;
}

/** Minimum number of entries for a sweep of expired ones. */
const MIN_SWEEP = 1000;

export class LiveGroup extends AddressGroup {
  readonly #now: () => number;
  /** Expiry by address. */
  readonly #singles = new Map<number | string, number>();
  readonly #networks = new Map<string, number>();
  #ofNetworks = new AddressGroup([]);
  /** Expiry of the next network. */
  #networksUntil = Number.POSITIVE_INFINITY;
  #sweepAt = MIN_SWEEP;

  constructor(entries: Iterable<GroupEntry>, now: () => number) {
    super([]);
    this.#now = now;
    this.add(entries);
  }

  add(entries: Iterable<GroupEntry>): void {
    let hasNetworks = false;
    for (const { ip, expires_at } of entries) {
      const until = expires_at ?? Number.POSITIVE_INFINITY;
      const key = keyOf(ip);
      if (key !== undefined) this.#singles.set(key, until);
      else this.#networks.set(ip, until);
      hasNetworks ||= key === undefined;
    }
    if (hasNetworks) this.#sortNetworks();
    if (this.#singles.size >= this.#sweepAt) this.#sweep();
  }

  remove(ips: Iterable<string>): void {
    let hasNetworks = false;
    for (const ip of ips) {
      const key = keyOf(ip);
      if (key !== undefined) this.#singles.delete(key);
      else hasNetworks = this.#networks.delete(ip) || hasNetworks;
    }
    if (hasNetworks) this.#sortNetworks();
  }

  override has(text: string): boolean {
    const key = keyOf(text);
    if (key === undefined) return false;
    const until = this.#singles.get(key);
    if (until !== undefined && (until === Number.POSITIVE_INFINITY || until > this.#now())) return true;
    if (this.#networks.size === 0) return false;
    if (this.#networksUntil !== Number.POSITIVE_INFINITY && this.#networksUntil <= this.#now()) this.#sortNetworks();
    return this.#ofNetworks.has(text);
  }

  #sortNetworks(): void {
    const now = this.#now();
    for (const [ip, until] of this.#networks) if (until <= now) this.#networks.delete(ip);
    this.#ofNetworks = new AddressGroup(this.#networks.keys());
    this.#networksUntil = Math.min(...this.#networks.values());
  }

  #sweep(): void {
    const now = this.#now();
    for (const [key, until] of this.#singles) if (until <= now) this.#singles.delete(key);
    this.#sweepAt = Math.max(MIN_SWEEP, 2 * this.#singles.size);
  }
}

/** Normalized key of a single address; undefined for other texts. */
function keyOf(text: string): number | string | undefined {
  const ipv4 = ipv4Of(text);
  if (ipv4 !== undefined) return ipv4;
  const address = addressOf(text);
  if (!address) return undefined;
  return address.family === 4 ? Number(address.number) : addressKey(address);
}
