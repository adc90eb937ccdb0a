// vigil rule diff

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { printChanges } from './changes.ts';
import { findVersioned, kindFlag, kindsIn, versionParams } from './rule.ts';

export const ruleDiff: Command = {
  name: 'rule diff',
  takes: 'NAME-or-GUID FROM TO',
  about: {
    en: 'show the differences between two versions of a rule',
    ko: '룰의 두 버전이 어떻게 다른지 보여 줍니다',
  },
  flags: { ...kindFlag, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, translator, note } = invocation;
    const [named = '', from = '', to = ''] = invocation.words;
    const client = connect(invocation);
    const { kind, guid } = await findVersioned(client, named, kindsIn(invocation));
    const versions = versionParams({ version: from, with: to });
    const { changes } = await client.call(`GET /api/core/${kind}-rules/:guid/versions/:version/diff`, {
      guid,
      ...versions,
    });
    if (flags.json) printJson(invocation, changes);
    else if (changes.length === 0) note(translator.text('rule-no-difference', { from, to }));
    else printChanges(invocation, changes);
    return 0;
  },
};
