// `system parsers`: the built-in parsers and the stored ones.

import { PARSERS } from '#ingest/parsers/index.ts';
import { listedAtOnce, recordRow, type SystemObject } from '#queries/runs/system-rows.ts';
import { everyParser } from '#store/rows/parsers.ts';
import type { Store } from '#store/store.ts';
import { builtInRecord, storedRecord } from './model.ts';

const DATES = ['created', 'updated'];

export const parserObject = ({ store, zone }: { readonly store: Store; readonly zone: string }): SystemObject =>
  listedAtOnce('MEMBER', async () => {
    const stored = await store.read(everyParser);
    const records = [...PARSERS.map(builtInRecord), ...stored.map((row) => storedRecord(row, zone))];
    return records.map((record) => recordRow(record, DATES));
  });
