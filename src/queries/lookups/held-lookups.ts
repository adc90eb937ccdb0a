// The lookups that a run reads: their rows stay as long as the run lasts, whatever is loaded meanwhile.

import type { LookupData } from '#logs/run.ts';
import type { LookupRow } from '#store/schema/schema.ts';
import type { MemoryLookup } from './lookup-memory.ts';
import { knownColumns } from './lookup-version.ts';
import type { MemoryData, MemoryLookups } from './memory-lookups.ts';
import type { StoredLookups } from './stored-lookups.ts';

export interface HeldLookups extends Disposable {
  readonly rows: readonly LookupRow[];
  /** False where a lookup has gone. */
  readonly isWhole: boolean;
  /** Undefined for a lookup that is not held. */
  dataOf(guid: string): LookupData | undefined;
  inMemory(owner: string, name: string): MemoryData | undefined;
}

interface Wanted {
  /** GUIDs. */
  readonly stored: readonly string[];
  readonly inMemory: readonly { readonly owner: string; readonly lookup: MemoryLookup }[];
}

interface LookupFolders {
  readonly storedLookups: StoredLookups;
  readonly memory: MemoryLookups;
}

export async function holdLookups({ storedLookups, memory }: LookupFolders, wanted: Wanted): Promise<HeldLookups> {
  using stack = new DisposableStack();
  const data = new Map<string, LookupData>();
  const rows: LookupRow[] = [];
  const stored = new Set(wanted.stored);
  for (const guid of stored) {
    const held = await storedLookups.hold(guid);
    if (!held) continue;
    stack.use(held);
    rows.push(held.row);
    data.set(guid, { columns: knownColumns(held.row), rows: held.file ?? [] });
  }
  const read = new Map<string, MemoryData | undefined>();
  for (const { owner, lookup } of wanted.inMemory) {
    const key = keyOf(owner, lookup.name);
    if (!read.has(key)) read.set(key, await memory.data(lookup));
  }
  const kept = stack.move();
  return {
    rows,
    isWhole: rows.length === stored.size && [...read.values()].every((found) => found !== undefined),
    dataOf: (guid) => data.get(guid),
    inMemory: (owner, name) => read.get(keyOf(owner, name)),
    [Symbol.dispose]: () => kept.dispose(),
  };
}

/** No GUID has a blank in it. */
const keyOf = (owner: string, name: string): string => `${owner} ${name}`;
