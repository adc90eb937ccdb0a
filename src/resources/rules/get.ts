// GET /<kind>-rules/:guid

import { type RuleKind, ruleTerm } from '#detection/rules/rule-kinds.ts';
import { findRule } from '#detection/rules/rule-store.ts';
import { orNull, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { foundOrNull, guidOf } from '#operations/shared-fields.ts';
import { ruleShape } from './record-shape.ts';
import { type RuleRecordDeps, recordsOf } from './states.ts';

export const get = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `Get ${ruleTerm(kind)}`,
    method: 'GET',
    path: `/api/core/${kind}-rules/:guid`,
    access: 'MEMBER',
    params: { guid: guidOf('rule') },
    answer: record({ rule: orNull(ruleShape(kind))(foundOrNull('rule')) }),

    async run(input, needs: Call & RuleRecordDeps) {
      const row = await findRule(needs.db, kind, input.guid);
      const [rule = null] = await recordsOf(kind, row ? [row] : [], needs);
      return { rule };
    },
  });
