// Delivers alarms to webhooks at least once: alarms are rows written together with their events, and a delivery interrupted by
// a crash is repeated. Detection never waits for deliveries.

import type { Cluster } from '#cluster/cluster.ts';
import { toRecord } from '#detection/events/event-record.ts';
import { openEvent } from '#detection/events/sealing.ts';
import { schemeAndHost, type Targets } from '#kernel/net/web-target.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Loop } from '#scheduler/loop.ts';
import type { AlarmRow, EventRow } from '#store/schema/event-schema.ts';
import type { Store } from '#store/store.ts';
import { openWebhook, urlOf } from '#vault/sealed/webhook-urls.ts';
import type { Vault } from '#vault/vault.ts';
import { claimAlarm, contentOf, dueAlarms, nextDue, removeAlarm } from './alarm-store.ts';
import { postWebhook } from './webhook.ts';

/** Maximum of concurrent deliveries, in all and per URL, so that a slow webhook does not block others. */
const MAX_CONCURRENT = 16;
const MAX_CONCURRENT_PER_URL = 4;
const SECOND_MS = 1000;
/** Delay from the start of an attempt to the next; longer than the timeout of an attempt. */
const DELAYS_MS = [30, 120, 600, 1800, 60].map((seconds) => seconds * SECOND_MS);
const MAX_TRIES = DELAYS_MS.length;
/** Polling period without pending alarms: alarms of other processes on a shared database cause no wake-up. */
const IDLE_MS = { shared: 60 * SECOND_MS, alone: 3600 * SECOND_MS };

/** `withdrawn`: the webhook was removed from its alarm group meanwhile. */
export const ALARM_OUTCOMES = ['delivered', 'retried', 'failed', 'withdrawn'] as const;
type AlarmOutcome = (typeof ALARM_OUTCOMES)[number];

export interface AlarmReport {
  readonly outcome: AlarmOutcome;
  readonly event: string;
  readonly group: string;
  /** Scheme and host of the URL, because its path may hold a secret; absent for a URL that cannot be decrypted. */
  readonly url?: string;
  readonly tries: number;
  readonly reason?: string;
}

interface AlarmsDeps {
  readonly cluster: Pick<Cluster, 'nextLook'>;
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly zone: string;
  readonly targets: Targets;
  onReport(report: AlarmReport): void;
  failed(error: unknown): void;
}

interface Details {
  readonly url?: string | undefined;
  readonly reason?: string;
}

const eventBody = (event: EventRow, zone: string) => ({
  event: toRecord(event, zone),
  rule: { guid: event.rule_guid, name: event.rule_name },
});

export class Alarms {
  readonly #deps: AlarmsDeps;
  readonly #loop: Loop;
  readonly #deliveries = new Map<number, { readonly target: string; readonly ended: Promise<void> }>();
  readonly #closing = new AbortController();
  #next: number | undefined;

  constructor(deps: AlarmsDeps) {
    this.#deps = deps;
    const { clock, failed } = deps;
    this.#loop = new Loop({ clock, failed, pass: () => this.#pass(), nextMoment: (now) => this.#nextMoment(now) });
    this.#loop.start();
  }

  /** Called after new alarms were written. */
  wake(): void {
    this.#loop.wake();
  }

  /** Aborts running deliveries; they are repeated after the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#loop.close();
    await Promise.all([...this.#deliveries.values()].map(({ ended }) => ended));
  }

  get #now(): number {
    return this.#deps.clock.now().epochMilliseconds;
  }

  get #busyTargets(): string[] {
    const counts = Map.groupBy(this.#deliveries.values(), ({ target }) => target);
    return [...counts].filter(([, some]) => some.length >= MAX_CONCURRENT_PER_URL).map(([target]) => target);
  }

  #nextMoment(now: number): number {
    // The end of a delivery wakes it.
    if (this.#deliveries.size >= MAX_CONCURRENT) return now + IDLE_MS.alone;
    return this.#next ?? this.#deps.cluster.nextLook(now, IDLE_MS.shared) ?? now + IDLE_MS.alone;
  }

  async #pass(): Promise<void> {
    const { store } = this.#deps;
    const limit = MAX_CONCURRENT - this.#deliveries.size;
    const now = this.#now;
    const due = await store.read((db) => dueAlarms(db, { now, limit, busy: this.#busyTargets }));
    for (const alarm of due) {
      if (this.#loop.isClosed) return;
      const isTaken = this.#deliveries.has(alarm.id) || this.#busyTargets.includes(alarm.target);
      if (!isTaken) await this.#begin(alarm, now);
    }
    this.#next = await store.read((db) => nextDue(db, this.#busyTargets));
  }

  async #begin(alarm: AlarmRow, now: number): Promise<void> {
    const { store } = this.#deps;
    const delay = DELAYS_MS[alarm.tries];
    // The last attempt was interrupted by a stop of the service.
    if (delay === undefined) return await this.#finish(alarm, 'failed', { reason: 'service went down' });
    if (!(await store.write((db) => claimAlarm(db, alarm, now + delay)))) return;
    const ended = this.#deliver({ ...alarm, tries: alarm.tries + 1 })
      .catch((error) => this.#deps.failed(error))
      .finally(() => {
        this.#deliveries.delete(alarm.id);
        this.#loop.wake();
      });
    this.#deliveries.set(alarm.id, { target: alarm.target, ended });
  }

  async #deliver(alarm: AlarmRow): Promise<void> {
    const { store, vault, zone, targets, clock } = this.#deps;
    const { tries } = alarm;
    const content = await store.read((db) => contentOf(db, alarm));
    if (!content) return await this.#finish(alarm, 'withdrawn');
    const sealing = vault.opening();
    const { event, webhook } = content;
    const url = urlOf(webhook, sealing);
    const message = event ? eventBody(openEvent(event, sealing), zone) : { failure: JSON.parse(alarm.failure ?? '{}') };
    const body = JSON.stringify(message);
    const until = this.#closing.signal;
    const open = openWebhook(webhook, vault);
    const answer = open && (await postWebhook({ ...open, body }, { targets, clock, until }));
    const failure = answer ? answer.failure?.reason : 'secret cannot be opened';
    if (failure === undefined) await this.#finish(alarm, 'delivered', { url });
    else if (tries >= MAX_TRIES) await this.#finish(alarm, 'failed', { url, reason: failure });
    else if (!until.aborted) this.#report(alarm, 'retried', { url, reason: failure });
  }

  async #finish(alarm: AlarmRow, outcome: AlarmOutcome, details: Details = {}): Promise<void> {
    await this.#deps.store.write((db) => removeAlarm(db, alarm.id));
    this.#report(alarm, outcome, details);
  }

  #report({ event_guid, group_guid, tries }: AlarmRow, outcome: AlarmOutcome, { url, reason }: Details): void {
    const shown = url === undefined ? undefined : schemeAndHost(url);
    this.#deps.onReport({
      outcome,
      event: event_guid,
      group: group_guid,
      tries,
      ...(shown === undefined ? {} : { url: shown }),
      ...(reason === undefined ? {} : { reason }),
    });
  }
}
