// What goes on while connections to the metadata database break. Each actor goes on whatever it is answered, writes down what
// it was told, and holds that against the service later on: what was acknowledged is there, what was refused is not.

import { expect } from 'vitest';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { createFollower, createSchedule, SCHEDULES, slotsOf } from '#test/support/scheduled-queries.ts';
import type { Reply, Service, Wire } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { append, complete, createTable, openWith, probe } from '#test/support/uploads.ts';

type Caller = Pick<Service, 'call'>;

export interface Actor {
  readonly name: string;
  prepare(service: Caller): Promise<void>;
  /** One try; whether the service acknowledged it. */
  act(service: Caller): Promise<boolean>;
  /** Fails where the two do not agree. */
  check(service: Caller): Promise<Checked>;
}

/** How many things the service has acknowledged that are to be there, and how many are. */
export interface Checked {
  readonly acknowledged: number;
  readonly found: number;
}

const COMPANIES = '/api/core/companies';

/** The only answer that a broken connection may lead to. */
function isRefused({ status, text, headers }: Reply): boolean {
  if (status < 400) return false;
  expect([status, text]).toEqual([503, '{"error_code":"unavailable","error_msg":"database is not reachable"}']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  return true;
}

/** Objects that are made and removed again, each under a name of its own. */
export function changes(which: string): Actor {
  const present = new Map<string, string>();
  const absent = new Set<string>();
  let next = 0;
  const create = async (service: Caller) => {
    next += 1;
    const name = `${which} ${next}`;
    const answer = await service.call('POST', COMPANIES, { form: { name } });
    if (isRefused(answer)) absent.add(name);
    else present.set(name, answer.json.guid);
    return !absent.has(name);
  };
  const remove = async (service: Caller, name: string, guid: string) => {
    if (isRefused(await service.call('DELETE', COMPANIES, { form: { guids: guid } }))) return false;
    present.delete(name);
    absent.add(name);
    return true;
  };
  /** A unit that is undone alone, in the midst of others. */
  const refuse = async (service: Caller, name: string) => {
    const answer = await service.call('POST', COMPANIES, { form: { name } });
    if (answer.status !== 500) return !isRefused(answer);
    expect(answer.json.error_msg).toBe(`duplicated name: ${name}`);
    return true;
  };
  return {
    name: `changes of ${which}`,
    prepare: async () => undefined,
    act(service) {
      const [oldest] = present;
      const dice = Math.random();
      if (oldest && dice < 0.2) return refuse(service, oldest[0]);
      return oldest && dice < 0.4 ? remove(service, ...oldest) : create(service);
    },
    async check(service) {
      const { companies } = (await service.call('GET', `${COMPANIES}?limit=10000`)).json;
      const found = new Set(companies.map(({ name }: Wire) => name));
      expect(
        [...present.keys()].filter((name) => !found.has(name)),
        'acknowledged and gone',
      ).toEqual([]);
      expect(
        [...absent].filter((name) => found.has(name)),
        'refused or removed, and there',
      ).toEqual([]);
      return { acknowledged: present.size, found: [...present.keys()].filter((name) => found.has(name)).length };
    },
  };
}

export function pushes(): Actor {
  const kept = new Set<number>();
  let logger = '';
  let next = 0;
  return {
    name: 'pushes',
    async prepare(service) {
      logger = await createLogger(service, { table: 'pushed' });
    },
    async act(service) {
      const numbers = Array.from({ length: 5 }, (_, at) => next + at);
      next += 5;
      const answer = await push(service, logger, { body: numbers.map((n) => JSON.stringify({ n })).join('\n') });
      if (isRefused(answer)) return false;
      expect(answer.json.accepted).toBe(numbers.length);
      for (const n of numbers) kept.add(n);
      return true;
    },
    async check(service) {
      const found = (await rowsOf(service, 'table pushed')).map(({ n }) => n);
      expect(new Set(found).size, 'pushed twice').toBe(found.length);
      expect(
        found.toSorted((a, b) => a - b),
        'what was pushed',
      ).toEqual([...kept]);
      return { acknowledged: kept.size, found: found.length };
    },
  };
}

/** Sends files as a client does: asks how far they are after every refusal, and goes on there. */
export function uploads(): Actor {
  const TABLE = 'uploaded';
  const LINES = 40;
  let isDone = 0;
  const bytesOf = (file: number) =>
    Buffer.from(Array.from({ length: LINES }, (_, line) => `{"n":${file * LINES + line}}\n`).join(''));
  const persist = async (ask: () => Promise<Reply>): Promise<Reply> => {
    for (;;) {
      const answer = await ask();
      if (!isRefused(answer)) return answer;
    }
  };
  return {
    name: 'uploads',
    prepare: (service) => createTable(service, TABLE),
    async act(service) {
      const bytes = bytesOf(isDone);
      const fields = { file_size: bytes.length, metadata: { table: TABLE } };
      const { token } = (await persist(() => openWith(service, fields))).json;
      for (let offset = 0; offset < bytes.length; ) {
        const body = bytes.subarray(offset, offset + 300);
        await append(service, token, { offset, body }).then(isRefused);
        // An answer to HEAD has no body that could say why it is refused.
        let asked = await probe(service, token);
        while (asked.status === 503) asked = await probe(service, token);
        expect(asked.status).toBe(200);
        offset = Number(asked.headers.get('upload-offset'));
      }
      const { json } = await persist(() => complete(service, token));
      expect(json).toEqual({ accepted: LINES, rejected: [], rejected_count: 0 });
      isDone += 1;
      return true;
    },
    async check(service) {
      const found = (await rowsOf(service, `table ${TABLE}`)).map(({ n }) => n).toSorted((a, b) => a - b);
      expect(found, 'what was uploaded').toEqual(Array.from({ length: isDone * LINES }, (_, n) => n));
      return { acknowledged: isDone * LINES, found: found.length };
    },
  };
}

/** A query of every second and one that follows it: each slot ran once, and each end has led to one slot of the follower. */
export function schedules(): Actor {
  let first = '';
  let follower = '';
  const traceOf = (who: string) => `json "{who:'${who}'}" | eval run = guid() | import ran`;
  const enable = (service: Caller, enabled: boolean) => {
    const cron = { trigger_type: 'cron', cron_schedule: '* * * * * *' };
    const form = { name: 'first', query: traceOf('first'), enabled: String(enabled), ...cron };
    return service.call('PUT', `${SCHEDULES}/${first}`, { form });
  };
  return {
    name: 'schedules',
    async prepare(service) {
      await createTable(service, 'ran');
      first = await createSchedule(service, { name: 'first', query: traceOf('first') });
      follower = await createFollower(service, first, { name: 'follower', query: traceOf('follower') });
      expect((await enable(service, true)).status).toBe(200);
    },
    async act(service) {
      return !isRefused(await service.call('GET', `${SCHEDULES}/${first}`));
    },
    async check(service) {
      expect((await enable(service, false)).status, 'disabled').toBe(200);
      const slots = await endedSlots(service, first);
      const following = await endedSlots(service, follower);
      const ran = slots.filter(({ outcome }) => outcome === 'ran');
      expect(slots.length, 'slots').toBeGreaterThan(0);
      expect(following, 'slots of the follower').toHaveLength(ran.length);
      const total = { acknowledged: 0, found: 0 };
      for (const [who, all] of Object.entries({ first: ran, follower: following })) {
        const states = all.filter(({ outcome }) => outcome === 'ran').map(({ state }) => state);
        const found = await rowsOf(service, `table ran | search who == "${who}"`);
        // One that failed may have written its row before.
        expect(found.length, `rows of ${who}`).toBeLessThanOrEqual(states.length);
        const succeeded = states.filter((state) => state === 'succeeded').length;
        expect(found.length, `rows of ${who}`).toBeGreaterThanOrEqual(succeeded);
        total.acknowledged += succeeded;
        total.found += found.length;
      }
      expect((await enable(service, true)).status, 'enabled').toBe(200);
      return total;
    },
  };
}

const endedSlots = (service: Caller, guid: string): Promise<Wire[]> =>
  until(
    () => slotsOf(service, guid, { limit: '1000' }),
    (slots) => slots.every(({ state }) => state !== 'running'),
  );
