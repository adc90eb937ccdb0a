// `system audit`: the entries of the audit trail, read in pages off the main thread.

import type { SealedEntry } from '#audit/entry.ts';
import type { AuditSearch } from '#audit/search/search.ts';
import type { Trail } from '#audit/trail.ts';
import type { Locale } from '#contract/values.ts';
import { recordRow, type SystemObject } from '#queries/runs/system-rows.ts';
import type { MapValue } from '#query/model/values.ts';
import { toRecord } from './model.ts';

const BLOCK = 500;
const EVERY_ENTRY = { keywords: [], categories: undefined, actions: undefined, companies: undefined };

interface AuditParts {
  readonly auditSearch: AuditSearch;
  readonly trail: Pick<Trail, 'newest'>;
}

export const auditObject = ({ auditSearch, trail }: AuditParts): SystemObject => ({
  access: 'MASTER',
  async *rows({ locale, range: { from, to } }) {
    const { id } = await trail.newest();
    let block: MapValue[] = [];
    for await (const { entry } of auditSearch.walk({ ...EVERY_ENTRY, from, to }, id)) {
      block.push(rowOf(entry, locale));
      if (block.length < BLOCK) continue;
      yield block;
      block = [];
    }
    yield block;
  },
});

function rowOf(entry: SealedEntry, locale: Locale): MapValue {
  const row = recordRow(toRecord(entry, locale), []);
  const at = Temporal.Instant.fromEpochMilliseconds(entry.created_at);
  return row.set('_time', at).set('created_at', at);
}
