// GET /<kind>-rules/:guid

import { type RuleKind, thingOf } from '#detection/kinds.ts';
import { referencesOf } from '#detection/references.ts';
import { findRule } from '#detection/rule-store.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { object, orNull } from '#http/shapes.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { resolved } from '#store/resolve.ts';
import { ruleRecord, toRecord } from './model.ts';
import { timesOf } from './times.ts';

export const get = (kind: RuleKind) =>
  endpoint({
    title: `Get ${thingOf(kind)}`,
    method: 'GET',
    path: `/api/core/${kind}-rules/:guid`,
    access: 'MEMBER',
    params: { guid: required(guid) },
    answer: object({ rule: orNull(ruleRecord(kind)) }),

    async run(input, { db, zone, scheduler }: Call & { zone: string; scheduler: Scheduler }) {
      const row = await findRule(db, kind, input.guid);
      if (!row) return { rule: null };
      const names = await resolved(db, referencesOf(kind, JSON.parse(row.snapshot)));
      const times = await timesOf(db, [row], scheduler);
      return { rule: toRecord(row, { names, zone, times: times.get(row.guid) }) };
    },
  });
