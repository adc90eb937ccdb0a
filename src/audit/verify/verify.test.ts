// Verification on a real log of a real service, which somebody with access to the database has tampered with.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SealedEntry } from '#audit/entry.ts';
import { databases, type Service, startService } from '#test/support/service.ts';
import {
  findingAfter,
  type Statement,
  swapContents,
  swapIds,
  Victim,
  verdictOn,
  writeLog,
} from '#test/support/tampering.ts';

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`An audit log on ${name}`, () => {
    let service: Service;
    let victim: Victim;
    let sealed: Entries;

    beforeAll(async () => {
      service = await startService({ database: name });
      await writeLog(service);
      victim = await Victim.of(service.config);
      sealed = entriesIn(victim);
    });
    afterAll(async () => {
      await victim[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    });

    const found = (statements: readonly Statement[]) => findingAfter(statements, victim);

    it('is proven when it is unchanged', async () => {
      const { entries, checkpointIds } = victim;
      expect(entries.length).toBeGreaterThan(250);
      expect(checkpointIds.length).toBeGreaterThan(2);
      expect(Math.max(...victim.groups.map((group) => group.length))).toBeGreaterThan(10);
      expect(await verdictOn(service.config)).toEqual({
        ok: true,
        entries: entries.length,
        checkpoints: checkpointIds.length,
        first: entries[0],
        head: entries.at(-1),
        remarks: [],
      });
    });

    for (const position of POSITIONS) {
      describe(`at ${position}`, () => {
        it('names an entry that was edited', async () => {
          const { id } = sealed[position];
          expect(await found([["update audit_entries set user_name = 'x' where id = ?", id]])).toBe(`edited ${id}`);
        });

        it('names an entry that was deleted', async () => {
          const { id } = sealed[position];
          const kind = position === 'the last entry' ? 'tail-cut' : 'missing';
          expect(await found([['delete from audit_entries where id = ?', id]])).toBe(`${kind} ${id}`);
        });

        it('names the first of two entries that changed places', async () => {
          const [a, b] = neighbours(victim.entries, sealed[position]);
          expect(await found(swapIds(a.id, b.id))).toBe(`reordered ${a.id}`);
          expect(await found(swapContents(a, b))).toBe(`reordered ${a.id}`);
        });

        it('names the first entry that was cut off with all after it', async () => {
          const { id } = sealed[position];
          const cut: Statement = ['delete from audit_entries where id >= ?', id];
          const cutCheckpoints: Statement = ['delete from audit_checkpoints where id >= ?', id];
          expect(await found([cut])).toBe(`tail-cut ${id}`);
          expect(await found([cut, cutCheckpoints])).toBe(`tail-cut ${id}`);
        });

        it('names an entry that was edited although all hashes were made anew', async () => {
          const { id } = sealed[position];
          expect(await found(victim.recompute(id))).toBe(`recomputed ${id}`);
        });
      });
    }
  });
}

const POSITIONS = [
  'the first entry',
  'the last entry',
  'an entry inside a group',
  'the last entry of a group',
  'an entry with a checkpoint',
  'the entry after a checkpoint',
] as const;

type Entries = Readonly<Record<(typeof POSITIONS)[number], SealedEntry>>;

function entriesIn({ entries, checkpointIds, groups }: Victim): Entries {
  const at = (id: number | undefined) => {
    const entry = entries[Number(id) - 1];
    if (!entry) throw new Error(`there is no entry ${id}`);
    return entry;
  };
  const [, checkpointId = 0] = checkpointIds;
  const group = groups.find(({ length }) => length > 4);
  return {
    'the first entry': at(1),
    'the last entry': at(entries.length),
    'an entry inside a group': at(group?.[2]),
    'the last entry of a group': at(group?.at(-1)),
    'an entry with a checkpoint': at(checkpointId),
    'the entry after a checkpoint': at(checkpointId + 1),
  };
}

function neighbours(entries: readonly SealedEntry[], entry: SealedEntry): [SealedEntry, SealedEntry] {
  const next = entries[entry.id];
  const before = entries[entry.id - 2];
  if (next) return [entry, next];
  if (before) return [before, entry];
  throw new Error('a log of one entry');
}
