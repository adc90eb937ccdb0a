// GET /<kind>-rules/:guid

import { type RuleKind, ruleTerm } from '#detection/rule-kinds.ts';
import { findRule } from '#detection/rule-store.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { object, orNull } from '#http/shapes.ts';
import { ruleRecord } from './model.ts';
import { type RuleRecordDeps, recordsOf } from './states.ts';

export const get = (kind: RuleKind) =>
  endpoint({
    title: `Get ${ruleTerm(kind)}`,
    method: 'GET',
    path: `/api/core/${kind}-rules/:guid`,
    access: 'MEMBER',
    params: { guid: required(guid) },
    answer: object({ rule: orNull(ruleRecord(kind)) }),

    async run(input, needs: Call & RuleRecordDeps) {
      const row = await findRule(needs.db, kind, input.guid);
      const [rule = null] = await recordsOf(row ? [row] : [], needs);
      return { rule };
    },
  });
