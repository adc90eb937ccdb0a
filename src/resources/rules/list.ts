// GET /<kind>-rules

import { PRIORITIES, type RuleKind, ruleTerm } from '#detection/rule-kinds.ts';
import { listRules } from '#detection/rule-store.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, flag, guid, oneOf, paging } from '#http/params.ts';
import { listOf } from '#http/shapes.ts';
import { ruleShape } from './record-shape.ts';
import { type RuleRecordDeps, recordsOf } from './states.ts';

const filters = { enabled: flag, priority: oneOf(PRIORITIES), category_guid: guid };

export const list = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `List ${ruleTerm(kind)}s`,
    method: 'GET',
    path: `/api/core/${kind}-rules`,
    access: 'MEMBER',
    params: { ...paging, keywords: anyText, ...filters, ...(kind === 'stream' ? { schema_code: anyText } : {}) },
    answer: listOf('rules', ruleShape(kind)),

    async run(input, needs: Call & RuleRecordDeps) {
      const { total, rows } = await listRules(needs.db, kind, input);
      return { total_count: total, rules: await recordsOf(kind, rows, needs) };
    },
  });
