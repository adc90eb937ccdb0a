// vigil rule show

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { jsonFlag, printRecord } from '#cli/kit/output/records.ts';
import { allFields } from './fields.ts';
import { findRule, kindFlag, kindsIn } from './rule.ts';

export const ruleShow: Command = {
  name: 'rule show',
  takes: 'NAME-or-GUID',
  about: { en: 'show one detection rule', ko: '탐지 룰 하나를 보여 줍니다' },
  flags: { ...kindFlag, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const [named = ''] = invocation.words;
    const client = connect(invocation);
    const rule = await findRule(client, named, kindsIn(invocation));
    await printRecord({ invocation, client }, rule, allFields(invocation.translator));
    return 0;
  },
};
