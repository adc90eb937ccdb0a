// vigil rule show

import { clientFlags, connect } from './client.ts';
import type { Command } from './command.ts';
import { jsonFlag, printRecord } from './records.ts';
import { findRule, kindFlag, kindsIn } from './rule.ts';
import { allFields } from './rule-fields.ts';

export const ruleShow: Command = {
  name: 'rule show',
  takes: 'NAME-or-GUID',
  about: { en: 'show one detection rule', ko: '탐지 룰 하나를 보여 줍니다' },
  flags: { ...kindFlag, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const [named = ''] = invocation.words;
    const rule = await findRule(connect(invocation), named, kindsIn(invocation));
    printRecord(invocation, rule, allFields(invocation.speech));
    return 0;
  },
};
