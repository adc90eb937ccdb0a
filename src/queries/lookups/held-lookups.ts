// The stored lookups that a run reads: their files stay as long as the run lasts, whatever is loaded meanwhile.

import type { LookupData } from '#engines/plan-run.ts';
import type { LookupRow } from '#store/schema.ts';
import { knownColumns } from './lookup-version.ts';
import type { StoredLookups } from './stored-lookups.ts';

export interface HeldLookups extends Disposable {
  readonly rows: readonly LookupRow[];
  /** False where a lookup has gone. */
  readonly isWhole: boolean;
  /** Undefined for a lookup that is not held. */
  dataOf(guid: string): LookupData | undefined;
}

export async function holdLookups(lookups: StoredLookups, guids: readonly string[]): Promise<HeldLookups> {
  using stack = new DisposableStack();
  const data = new Map<string, LookupData>();
  const rows: LookupRow[] = [];
  const wanted = new Set(guids);
  for (const guid of wanted) {
    const held = await lookups.hold(guid);
    if (!held) continue;
    stack.use(held);
    rows.push(held.row);
    data.set(guid, { columns: knownColumns(held.row), rows: held.file ?? [] });
  }
  const kept = stack.move();
  return {
    rows,
    isWhole: rows.length === wanted.size,
    dataOf: (guid) => data.get(guid),
    [Symbol.dispose]: () => kept.dispose(),
  };
}
