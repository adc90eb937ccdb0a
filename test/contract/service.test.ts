import { describe, expect, it } from 'vitest';
import { createTeam } from '#test/support/accounts.ts';
import { auditLogs, entriesOf } from '#test/support/audit.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { startService } from '#test/support/service.ts';
import { BEGINNING, NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

onEachDatabase('A running service', ({ call }) => {
  it('is healthy and ready, for anyone', async () => {
    expect(outcome(await call('GET', '/healthz', { key: null }))).toEqual([200, { status: 'ok' }]);
    const ready = await call('GET', '/readyz', { key: 'wrong' });
    expect(ready.status).toBe(200);
    expect(ready.json.status).toBe('ready');
    expect(ready.json.checks).toMatchObject({ store: 'ok' });
    expect(new Set(Object.values(ready.json.checks))).toEqual(new Set(['ok']));
  });
});

describe('A service without open requests', () => {
  it('stops without waiting for the time that requests would get', async () => {
    // The clock stands still, so that time never ends.
    const service = await startService({ alone: 'node', clock: new ManualClock(BEGINNING) });
    expect((await service.call('GET', '/healthz')).status).toBe(200);
    let isStopped = false;
    void service.stop().then(() => {
      isStopped = true;
    });
    await expect.poll(() => isStopped).toBe(true);
  });
});

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"(?:,|(?=\})))*)\})? (\S+)$/;

/** Reads the Prometheus text format; throws at the first line that is not of it. */
function parse(text: string): { samples: Sample[]; types: Map<string, string> } {
  expect(text.endsWith('\n')).toBe(true);
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('# HELP ')) continue;
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary|untyped)$/.exec(line);
    if (type) {
      expect(types.has(type[1] ?? '')).toBe(false);
      types.set(type[1] ?? '', type[2] ?? '');
      continue;
    }
    const [, name = '', labels = '', value] = LINE.exec(line) ?? expect.fail(`not a sample: ${line}`);
    samples.push({ name, labels, value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value) });
  }
  return { samples, types };
}

const total = (samples: readonly Sample[], name: RegExp, ...labels: readonly string[]) =>
  samples
    .filter((sample) => name.test(sample.name) && labels.every((label) => sample.labels.includes(label)))
    .reduce((sum, { value }) => sum + value, 0);

describe('Metrics', () => {
  const subject = serviceFor({ alone: 'node' });
  const { call } = subject;
  const scrape = async () => parse((await call('GET', '/metrics', { key: null })).text);

  it('are Prometheus text, open to anyone, and every name begins with vigil_', async () => {
    const answer = await call('GET', '/metrics', { key: null });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const { samples, types } = parse(answer.text);
    expect(samples.length).toBeGreaterThan(0);
    for (const { name, value } of samples) {
      expect(name).toMatch(/^vigil_/);
      expect(Number.isNaN(value)).toBe(false);
      const family = name.replace(/_(bucket|sum|count)$/, '');
      expect(types.has(name) || types.get(family) === 'histogram').toBe(true);
    }
  });

  it('count requests by route, method and status, with their duration', async () => {
    const counted = async (status: string) => {
      const { samples } = await scrape();
      return total(samples, /^vigil_.*requests_total$/, 'route="/api/core/users/:guid"', 'method="GET"', status);
    };
    const fine = await counted('status="200"');
    const wrong = await counted('status="400"');
    const guid = '00000000-0000-4000-8000-000000000000';
    for (const segment of [guid, guid, 'x']) await call('GET', `/api/core/users/${segment}`);
    expect([await counted('status="200"'), await counted('status="400"')]).toEqual([fine + 2, wrong + 1]);
    const { samples } = await scrape();
    const route = 'route="/api/core/users/:guid"';
    expect(total(samples, /duration_seconds_count$/, route)).toBe(fine + wrong + 3);
    expect(total(samples, /duration_seconds_bucket$/, route, 'le="+Inf"')).toBe(fine + wrong + 3);
    expect(total(samples, /duration_seconds_sum$/, route)).toBeGreaterThan(0);
  });

  it('name no table, logger or account to strangers', async () => {
    const logger = await createLogger(subject, { table: 'classified' });
    await push(subject, logger, { body: '{"n":1}\n[]' });
    await call('POST', '/api/core/tables/classified/logs', { json: { n: 1 } });
    const { text } = await call('GET', '/metrics', { key: null });
    expect(text).toContain('vigil_ingested_records_total{protocol="push"} 1\n');
    expect(text).toContain('vigil_ingested_records_total 1\n');
    expect(text).not.toMatch(new RegExp(`classified|${logger}|master|[{,](table|logger|account|login|user)=`));
  });

  it('do not grow with what clients invent', async () => {
    await call('GET', '/nowhere');
    const before = (await scrape()).samples.length;
    for (let index = 0; index < 20; index += 1) await call('GET', `/invented-${index}/"quoted"\\`);
    expect((await scrape()).samples.length).toBe(before);
    expect((await call('GET', '/metrics')).text).not.toContain('invented');
  });

  it('tell the audit head, memory and event delays', async () => {
    const [newest] = await auditLogs(subject);
    const { samples } = await scrape();
    expect(total(samples, /audit_head/)).toBe(newest.id);
    await call('POST', '/api/core/companies');
    expect(total((await scrape()).samples, /audit_head/)).toBe(newest.id + 1);
    expect(total(samples, /resident|rss/)).toBeGreaterThan(1_000_000);
    expect(samples.some(({ name }) => /delay/.test(name))).toBe(true);
  });
});

describe('Metrics that a setting closes', () => {
  const subject = serviceFor({ flags: { metrics: 'closed', 'key-rate': '1', 'key-burst': '20' } });
  const { call, clock } = subject;

  it('are for administrators, and leave no entry', async () => {
    const { admin, member } = await createTeam(subject, 'team');
    const entries = await entriesOf(subject, async () => {
      const refusal = await call('GET', '/metrics', { key: null });
      expect(outcome(refusal)).toEqual(refused(401, 'unauthorized', 'invalid api key'));
      expect(outcome(await call('GET', '/metrics', { key: member.key }))).toEqual(NO_PERMISSION);
      expect((await call('GET', '/metrics', { key: admin.key })).status).toBe(200);
    });
    expect(entries).toEqual([]);
    expect((await call('GET', '/healthz', { key: null })).status).toBe(200);
  });

  it('are never rate-limited: not by the key', async () => {
    clock.advance({ minutes: 1 });
    for (let round = 0; round < 30; round += 1) expect((await call('GET', '/metrics')).status).toBe(200);
  });

  it('are never rate-limited: not by failed attempts', async () => {
    for (let round = 0; round < 70; round += 1) {
      expect((await call('GET', '/metrics', { key: 'wrong' })).status).toBe(401);
    }
  });

  it('leave no entry of failed attempts either', async () => {
    await clock.pass({ minutes: 2 });
    expect(await auditLogs(subject, 'actions=refuse')).toEqual([]);
  });
});
