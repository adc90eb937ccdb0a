// vigil rule list

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { jsonFlag, printList } from '#cli/kit/output/records.ts';
import { listedFields } from './fields.ts';
import { kindFlag, kindsIn, listRules, type Rule } from './rule.ts';

const filters: Flags = {
  keywords: {
    hint: 'TEXT',
    about: {
      en: 'only rules with this text in name, description, query or schema',
      ko: '이름, 설명, 쿼리, 스키마에 이 글이 있는 것만',
    },
    sends: 'keywords',
  },
  priority: {
    hint: 'LOW|MEDIUM|HIGH',
    about: { en: 'only rules of this priority', ko: '이 우선순위만' },
    sends: 'priority',
  },
  enabled: {
    hint: 'true|false',
    about: { en: 'only enabled rules, or only disabled ones', ko: '켜진 것만, 또는 꺼진 것만' },
    sends: 'enabled',
  },
};

export const ruleList: Command = {
  name: 'rule list',
  about: { en: 'list detection rules, batch rules first', ko: '탐지 룰을 배치 룰부터 나열합니다' },
  flags: { ...kindFlag, ...filters, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const client = connect(invocation);
    const query = paramsOf<'GET /api/core/batch-rules'>(filters, invocation.flags);
    const rules: Rule[] = [];
    for (const kind of kindsIn(invocation)) rules.push(...(await listRules(client, kind, query)));
    await printList({ invocation, client }, rules, listedFields(invocation.translator));
    return 0;
  },
};
