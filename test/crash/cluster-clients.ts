// Clients of a cluster behind a balancer: one makes objects, one changes a stream rule, one pushes logs that this rule finds, and a
// query runs every second. Each writes down what it was told, and holds that against every node later on.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Cluster, ClusterNode } from '#test/support/cluster.ts';
import { push, rowsOf } from '#test/support/logs.ts';
import { ruleOf } from '#test/support/rules.ts';
import { createSchedule, SCHEDULES, slotsOf } from '#test/support/scheduled-queries.ts';
import type { Reply, Service, Wire } from '#test/support/service.ts';
import { createStream, createStreamRule, ruleForm, STREAM_RULES, type Stream } from '#test/support/stream-rules.ts';

type Caller = Pick<Service, 'call'>;

/** Any node, another one with each request, but none that its checks have found dead. */
export class Balancer implements Caller {
  /** Nodes that get no further requests. */
  readonly avoided = new Set<ClusterNode>();
  readonly #nodes: readonly ClusterNode[];
  #next = 0;

  constructor({ nodes }: Cluster) {
    this.#nodes = nodes;
  }

  call(...request: Parameters<Caller['call']>): Promise<Reply> {
    const open = this.#nodes.filter((node) => !this.avoided.has(node));
    this.#next += 1;
    const node = open[this.#next % open.length];
    if (!node) throw new Error('no node is left');
    return node.call(...request);
  }
}

export interface ClusterClient {
  /** Until the signal; a broken connection and 503 are no end. */
  work(service: Caller, until: AbortSignal): Promise<void>;
  /** Fails where a node does not have what was acknowledged, or has it twice. */
  settle(cluster: Cluster): Promise<void>;
}

/** The answer, unless the node was gone or could not do it now. */
async function acknowledged(asking: Promise<Reply>): Promise<Reply | undefined> {
  const answer = await asking.catch((reason: unknown) => {
    if (!(reason instanceof TypeError)) throw reason;
    return undefined;
  });
  if (answer) expect([200, 429, 503], answer.text).toContain(answer.status);
  return answer?.status === 200 ? answer : undefined;
}

const GROUPS = '/api/core/user-groups';
/** Of those that were made last, on every node. */
const ASKED_GROUPS = 5;

/** User groups: those that were acknowledged are there once, with the guid of the answer. */
export class Groups implements ClusterClient {
  readonly #made = new Map<string, string>();
  #next = 1;

  async work(service: Caller, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      const name = `group ${this.#next}`;
      this.#next += 1;
      const answer = await acknowledged(service.call('POST', GROUPS, { form: { name } }));
      if (answer) this.#made.set(name, answer.json.guid);
      await sleep(50);
    }
  }

  async settle(cluster: Cluster): Promise<void> {
    const rows = await cluster.sql("select name, guid from user_groups where name like 'group %'");
    const known = new Map(rows.map(({ name, guid }) => [name, guid]));
    expect(known.size, 'a group is there twice').toBe(rows.length);
    const lost = [...this.#made].filter(([name, guid]) => known.get(name) !== guid);
    expect(lost, 'groups that are lost').toEqual([]);
    for (const [name, guid] of [...this.#made].slice(-ASKED_GROUPS))
      for (const node of cluster.nodes) {
        const { text, json } = await node.call('GET', `${GROUPS}/${guid}`);
        expect(json?.user_group?.name, `${node.name}: ${text}`).toBe(name);
      }
  }
}

/** A stream rule that changes all the time, and logs that it finds: each change is one version, each log one event. */
export class Detection implements ClusterClient {
  readonly #stream: Stream;
  readonly #rule: string;
  readonly #changed: number[] = [];
  readonly #found: number[] = [];
  #change = 0;
  #log = 0;

  static async prepare(service: Caller): Promise<Detection> {
    const stream = await createStream(service);
    return new Detection(stream, await createStreamRule(service, ruleOver(stream, 0)));
  }

  private constructor(stream: Stream, rule: string) {
    this.#stream = stream;
    this.#rule = rule;
  }

  async work(service: Caller, until: AbortSignal): Promise<void> {
    await Promise.all([this.#changeRule(service, until), this.#pushLogs(service, until)]);
  }

  async #changeRule(service: Caller, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      this.#change += 1;
      const change = this.#change;
      const form = ruleForm(ruleOver(this.#stream, change));
      if (await acknowledged(service.call('PUT', `${STREAM_RULES}/${this.#rule}`, { form })))
        this.#changed.push(change);
      await sleep(100);
    }
  }

  async #pushLogs(service: Caller, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      this.#log += 1;
      const n = this.#log;
      if (await acknowledged(push(service, this.#stream.logger, { body: JSON.stringify({ n }) }))) this.#found.push(n);
      await sleep(50);
    }
  }

  async settle(cluster: Cluster): Promise<void> {
    const versions = await cluster.sql(
      `select snapshot from rule_versions where guid = '${this.#rule}' order by version`,
    );
    const changes = versions.map(({ snapshot }) => changeIn(JSON.parse(String(snapshot)).msg));
    expect(new Set(changes).size, 'a change of the rule is there twice').toBe(changes.length);
    expect(changes, 'changes of the rule out of their order').toEqual(changes.toSorted((a, b) => a - b));
    expect(missingIn(changes, this.#changed), 'changes of the rule that are lost').toEqual([]);
    for (const node of cluster.nodes) {
      const rule = await ruleOf(node, 'stream', this.#rule);
      expect([rule.version, changeIn(rule.msg)], node.name).toEqual([changes.length, changes.at(-1)]);
    }
    const events = await cluster.sql(`select suppress_key, count from events where rule_guid = '${this.#rule}'`);
    const found = events.map(({ suppress_key }) => Number(suppress_key));
    expect(new Set(found).size, 'a log has two events').toBe(found.length);
    expect(
      events.filter(({ count }) => Number(count) !== 1),
      'a log counts twice',
    ).toEqual([]);
    expect(missingIn(found, this.#found), 'logs without their event').toEqual([]);
  }
}

const ruleOver = ({ schema }: Stream, change: number) => ({
  schema,
  where: ['search n > 0'],
  fields: { name: 'always changing', suppress_key: '$n', msg: `found $n, change ${change}` },
});

const changeIn = (msg: string): number => Number(msg.split(' ').at(-1));

function missingIn(all: readonly number[], wanted: readonly number[]): number[] {
  const there = new Set(all);
  return wanted.filter((n) => !there.has(n));
}

const EVERY_SECOND = { trigger_type: 'cron', cron_schedule: '* * * * * *' };
const EVIDENCE = `json "{who:'alone'}" | eval seen = string(now(), "yyyy-MM-dd HH:mm:ss") | import evidence`;
const FORM = { name: 'alone', query: EVIDENCE, ...EVERY_SECOND };
/** Slots that are looked at after each round. */
const NEWEST = 400;
const LATE_SECONDS = 100;

/** A query of every second that leaves a row: each second has one slot, and each that succeeded has left one row. */
export class EverySecond {
  readonly #guid: string;

  static async prepare(service: Caller): Promise<EverySecond> {
    await service.call('POST', '/api/core/tables', { form: { table: 'evidence' } });
    return new EverySecond(await createSchedule(service, { ...FORM, enabled: 'true' }));
  }

  private constructor(guid: string) {
    this.#guid = guid;
  }

  /** Slots of a time when no node was there get their row a minute later: those of the last minutes are looked at afterwards. */
  async settle(service: Caller): Promise<void> {
    const slots = await slotsOf(service, this.#guid, { limit: String(NEWEST) });
    const newest = slots.length === 0 ? 0 : secondOf(slots[0]);
    expect(gapsIn(slots.filter((slot) => newest - secondOf(slot) > LATE_SECONDS))).toEqual([]);
    const twice = 'table evidence | stats count by seen | search count > 1';
    expect(await rowsOf(service, twice), 'something ran twice').toEqual([]);
  }

  /** Ends it, and compares all slots with all rows. */
  async finish(service: Caller): Promise<number> {
    const ended = await service.call('PUT', `${SCHEDULES}/${this.#guid}`, { form: { ...FORM, enabled: 'false' } });
    expect(ended.status, ended.text).toBe(200);
    const slots = async () => await slotsOf(service, this.#guid, { limit: '10000' });
    const running = async () => (await slots()).filter(({ state }) => state === 'running');
    await expect.poll(running).toEqual([]);
    await expect.poll(async () => gapsIn(await slots()), { interval: 1000 }).toEqual([]);
    const ledger = await slots();
    const rows = await rowsOf(service, 'table evidence');
    const seen = new Set(rows.map((row) => row.seen));
    expect(seen.size, 'something ran twice').toBe(rows.length);
    const done = ledger.filter(({ state }) => state === 'succeeded');
    expect(done.length).toBeGreaterThan(0);
    const lost = done.filter(({ slot_time }) => !seen.has(slot_time.slice(0, 19)));
    expect(lost, 'a run has not done what it says').toEqual([]);
    return ledger.length;
  }
}

/** Slots, newest first, that do not follow on the one a second before. */
const gapsIn = (slots: readonly Wire[]): string[] =>
  slots
    .slice(0, -1)
    .filter((slot, index) => secondOf(slot) - secondOf(slots[index + 1]) !== 1)
    .map(({ slot_time }) => slot_time);

const secondOf = ({ slot_time }: Wire): number => Date.parse(slot_time.replace(/(\d\d)$/, ':$1')) / 1000;
