// GET /<kind>-rules

import { PRIORITIES, type RuleKind, ruleTerm } from '#detection/rules/rule-kinds.ts';
import { listRules } from '#detection/rules/rule-store.ts';
import { listOf } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { anyText, flag, guid, keywords, oneOf, paging } from '#operations/params/params.ts';
import { ruleShape } from './record-shape.ts';
import { type RuleRecordDeps, recordsOf } from './states.ts';

const filters = {
  enabled: described(flag, 'Whether the listed rules are in force; both where absent.'),
  priority: described(oneOf(PRIORITIES), 'Priority of the listed rules.'),
  category_guid: described(guid, 'GUID of the rule category of the listed rules.'),
};

export const list = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `List ${ruleTerm(kind)}s`,
    method: 'GET',
    path: `/api/core/${kind}-rules`,
    access: 'MEMBER',
    params: {
      ...paging,
      keywords,
      ...filters,
      ...(kind === 'stream' ? { schema_code: described(anyText, 'Code of the log schema of the listed rules.') } : {}),
    },
    answer: listOf('rules', ruleShape(kind)),

    async run(input, needs: Call & RuleRecordDeps) {
      const { total, rows } = await listRules(needs.db, kind, input);
      return { total_count: total, rules: await recordsOf(kind, rows, needs) };
    },
  });
