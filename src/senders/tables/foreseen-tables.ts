// Foresees the table of a body by the last one like it: most senders send everything to one table. A wrong guess costs time alone,
// because rights and table are found from the decoded body in any case.

import { hash } from 'node:crypto';
import { BoundedMap } from '#runtime/bounded-map.ts';
import type { RecordGroup } from '#senders/decoded.ts';
import type { SenderName } from '#senders/names.ts';
import type { ForeseenTable } from '#senders/threads/sender-threads.ts';
import type { TableBatch } from './table-lines.ts';

const MAX_KEPT = 1000;

/** What bodies have in common that probably have the same table. */
export const likeOf = (sender: SenderName, account: string, ...names: readonly (string | undefined)[]): string =>
  hash('sha256', JSON.stringify([sender, account, names]), 'base64');

export class ForeseenTables {
  readonly #last = new BoundedMap<string, ForeseenTable>({ max: MAX_KEPT, evicts: 'oldest' });

  /** `like` is of `likeOf`. */
  of(like: string): ForeseenTable | undefined {
    return this.#last.get(like);
  }

  /** Learns from the records of a body. */
  learn(like: string, groups: readonly RecordGroup[], batches: readonly TableBatch[]): void {
    const [group, ...others] = groups;
    const [batch] = batches;
    this.#last.delete(like);
    if (!(group && batch) || others.length > 0) return;
    this.#last.set(like, { table: batch.destination.table, name: group.name });
  }
}
