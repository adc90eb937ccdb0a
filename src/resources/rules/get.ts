// GET /<kind>-rules/:guid

import { type RuleKind, thingOf } from '#detection/kinds.ts';
import { findRule } from '#detection/rule-store.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { orNull, record } from '#http/shapes.ts';
import { foundOrNull, guidOf } from '#http/shared-fields.ts';
import { ruleShape } from './record-shape.ts';
import { recordsOf, type StateNeeds } from './states.ts';

export const get = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `Get ${thingOf(kind)}`,
    method: 'GET',
    path: `/api/core/${kind}-rules/:guid`,
    access: 'MEMBER',
    params: { guid: guidOf('rule') },
    answer: record({ rule: orNull(ruleShape(kind))(foundOrNull('rule')) }),

    async run(input, needs: Call & StateNeeds) {
      const row = await findRule(needs.db, kind, input.guid);
      const [rule = null] = await recordsOf(kind, row ? [row] : [], needs);
      return { rule };
    },
  });
