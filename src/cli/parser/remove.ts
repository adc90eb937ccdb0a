// vigil parser remove

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { UsageError } from '#kernel/usage-error.ts';

export const parserRemove: Command = {
  name: 'parser remove',
  takes: 'CODE',
  about: { en: 'remove a stored parser', ko: '저장된 파서를 지웁니다' },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const [code = ''] = words;
    const answer = await connect(invocation).call('DELETE /api/core/parsers', { codes: [code] });
    if (flags.json) printJson(invocation, answer);
    if (answer.failures.length > 0) throw new UsageError('no-such-parser', { code });
    note(translator.text('parser-removed', { code }));
    return 0;
  },
};
