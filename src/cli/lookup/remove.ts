// vigil lookup remove

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { FAILED } from '#cli/kit/failures/failure.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { findLookup } from './lookup.ts';

export const lookupRemove: Command = {
  name: 'lookup remove',
  takes: 'NAME-or-GUID',
  about: { en: 'remove a stored lookup with its rows', ko: '저장된 룩업과 그 행을 지웁니다' },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const [named = ''] = words;
    const client = connect(invocation);
    const { guid, name } = await findLookup(client, named);
    const answer = await client.call('DELETE /api/core/lookups', { guids: [guid] });
    if (flags.json) printJson(invocation, answer);
    if (answer.failures.length > 0) return FAILED;
    note(translator.text('lookup-removed', { name }));
    return 0;
  },
};
