import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import { openStore, type Store } from '#store/store.ts';
import { openSigningKey } from './keys.ts';
import { AuditSearch } from './search.ts';
import { openTextIndex, type TextIndex } from './text-index.ts';
import { openTrail, type Trail } from './trail.ts';
import { openWitness } from './witness.ts';

const ANY = { categories: undefined, actions: undefined, companies: undefined, from: undefined, to: undefined };
const PAGE = { offset: 0, limit: 10 };

describe('The text index', () => {
  let folder: string;
  let store: Store;
  let trail: Trail;
  let index: TextIndex;
  const failures: unknown[] = [];
  const record = (name: string) =>
    trail.record({ user_name: name, remote_ip: '10.0.0.1', module: 'users', method: 'create', params: { name } });
  const find = (keyword: string) => new AuditSearch(store, index).find({ ...ANY, keywords: [keyword] }, PAGE);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-index-'));
    store = await openStore(join(folder, 'data'), {
      groupCommitted() {},
      storeFailed: (error) => void failures.push(error),
    });
    const witness = openWitness(join(folder, 'witness'));
    trail = await openTrail({ store, clock: systemClock, signingKey: openSigningKey(join(folder, 'keys')), witness });
    index = openTextIndex(store, systemClock, () => trail.head);
  });
  afterEach(async () => {
    await index.close();
    await trail.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
    expect(failures).toEqual([]);
  });

  it('is filled beside the writer, without stopping it', async () => {
    await record('first');
    await index.fill(); // The scanner thread runs from here on.
    await Promise.all(Array.from({ length: 5000 }, (_, n) => record(`early ${n}`)));
    const filling = index.fill();
    for (let n = 0; n < 300; n += 1) await record(`late ${n}`);
    await filling;
    expect((await find('late 299')).total).toBe(1);
  });

  it('hides nothing that was acknowledged while it is filled', async () => {
    await Promise.all(Array.from({ length: 3000 }, (_, n) => record(`early ${n}`)));
    const filling = index.fill();
    const all = () => new AuditSearch(store, index).find({ ...ANY, keywords: [] }, PAGE);
    for (let n = 1; n <= 100; n += 1) {
      await record(`late ${n}`);
      expect((await all()).total).toBe(3000 + n);
    }
    await filling;
  });

  it('finds what is indexed, what is not yet, and nothing else', async () => {
    await record('zebrafish one');
    await index.fill();
    await record('zebrafish two');
    expect((await find('zebrafish')).total).toBe(2);
    expect((await find('rafish t')).total).toBe(1);
    expect((await find('zebraXfish')).total).toBe(0);
  });

  it('is made anew when it is of another database', async () => {
    await record('zebrafish');
    await index.fill();
    await store.scanner.exec("update audit_indexed set hash = 'of another'");
    await index.close();
    index = openTextIndex(store, systemClock, () => trail.head);
    await index.fill();
    expect((await find('zebrafish')).total).toBe(1);
  });
});
