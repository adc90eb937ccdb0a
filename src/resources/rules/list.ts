// GET /<kind>-rules

import { PRIORITIES, type RuleKind, thingOf } from '#detection/kinds.ts';
import { referencesOf } from '#detection/references.ts';
import { listRules } from '#detection/rule-store.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, flag, guid, oneOf, paging } from '#http/params.ts';
import { listOf } from '#http/shapes.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { resolved } from '#store/resolve.ts';
import { ruleRecord, toRecord } from './model.ts';
import { timesOf } from './times.ts';

const filters = { enabled: flag, priority: oneOf(PRIORITIES), category_guid: guid };

export const list = (kind: RuleKind) =>
  endpoint({
    title: `List ${thingOf(kind)}s`,
    method: 'GET',
    path: `/api/core/${kind}-rules`,
    access: 'MEMBER',
    params: { ...paging, keywords: anyText, ...filters, ...(kind === 'stream' ? { schema_code: anyText } : {}) },
    answer: listOf('rules', ruleRecord(kind)),

    async run(input, { db, zone, scheduler }: Call & { zone: string; scheduler: Scheduler }) {
      const { total, rows } = await listRules(db, kind, input);
      const names = await resolved(
        db,
        rows.flatMap((row) => referencesOf(kind, JSON.parse(row.snapshot))),
      );
      const times = await timesOf(db, rows, scheduler);
      return {
        total_count: total,
        rules: rows.map((row) => toRecord(row, { names, zone, times: times.get(row.guid) })),
      };
    },
  });
