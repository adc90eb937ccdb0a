import { expect, it } from 'vitest';
import { chainHashes, expectChained, expectSigned, exportedEntries, type WireEntry } from '#test/support/audit.ts';
import { sendBytes } from '#test/support/raw-http.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const PROOF = '/api/core/audit-logs/proof';
const COMPANIES = '/api/core/companies';

onEachDatabase('A trail of more than a thousand entries', (subject) => {
  const { call } = subject;
  /** Refused calls, each of which leaves an entry: `count` on each of `connections`, one behind the other. */
  const refuse = (connections: number, count: number) => {
    const head = `POST ${COMPANIES} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${MASTER_KEY}\r\ncontent-length: 0\r\n`;
    const bytes = [...Array.from({ length: count - 1 }, () => head), `${head}connection: close\r\n`, ''].join('\r\n');
    return Promise.all(Array.from({ length: connections }, () => sendBytes(subject.service.url, bytes)));
  };

  it('has a checkpoint for the thousandth', async () => {
    await refuse(30, 33);
    for (let entry = 992; entry <= 1001; entry += 1) await call('POST', COMPANIES);
    const { json } = await call('GET', PROOF);
    expect(json.checkpoints.map((one: WireEntry) => one.id)).toEqual([1000]);
    expectSigned(json, chainHashes(await exportedEntries(subject)));
  });

  it('is listed a thousand at a time where no limit is given', async () => {
    const { json } = await call('GET', '/api/core/audit-logs');
    expect(json.total).toBe(1003);
    const ids = json.audit_logs.map(({ id }: WireEntry) => id);
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, index) => 1003 - index));
  });

  it('is exported whole', async () => {
    const entries = await exportedEntries(subject);
    expect(entries).toHaveLength(1003);
    expectChained(entries);
  });

  it('never has a thousand entries beyond its newest checkpoint, however many come at once', async () => {
    await refuse(100, 10);
    const { json } = await call('GET', PROOF);
    expect(json.head.id - json.checkpoints.at(-1).id).toBeLessThan(1000);
    const entries = await exportedEntries(subject);
    expectChained(entries);
    expectSigned(json, chainHashes(entries));
  });
});
