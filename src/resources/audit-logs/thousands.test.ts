import { expect, it } from 'vitest';
import { chainHashes, expectChained, expectSigned, exportedEntries, type WireEntry } from '#test/support/audit.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const PROOF = '/api/core/audit-logs/proof';
const COMPANIES = '/api/core/companies';

onEachDatabase('A trail of more than a thousand entries', (subject) => {
  const { call } = subject;
  const refusal = () => call('POST', COMPANIES);

  it('has a checkpoint for the thousandth', async () => {
    for (let round = 0; round < 9; round += 1) await Promise.all(Array.from({ length: 110 }, refusal));
    for (let last = 992; last <= 1001; last += 1) await refusal();
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
    for (let round = 0; round < 4; round += 1) await Promise.all(Array.from({ length: 250 }, refusal));
    const { json } = await call('GET', PROOF);
    expect(json.head.id - json.checkpoints.at(-1).id).toBeLessThan(1000);
    const entries = await exportedEntries(subject);
    expectChained(entries);
    expectSigned(json, chainHashes(entries));
  });
});
