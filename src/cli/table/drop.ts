// vigil table drop

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { FAILED } from '#cli/kit/failures/failure.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { UsageError } from '#kernel/usage-error.ts';

export const tableDrop: Command = {
  name: 'table drop',
  takes: 'TABLE',
  about: { en: 'drop a table with all of its records', ko: '테이블과 그 안의 로그를 모두 지웁니다' },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const [table = ''] = words;
    const answer = await connect(invocation).call('DELETE /api/core/tables/:table', { table });
    if (flags.json) {
      printJson(invocation, answer);
      return answer.failure ? FAILED : 0;
    }
    if (answer.failure) throw new UsageError('table-in-use', { table, loggers: answer.failure.loggers.join(', ') });
    note(translator.text('table-dropped', { table }));
    return 0;
  },
};
