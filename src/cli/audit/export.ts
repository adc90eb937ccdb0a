// vigil audit export: the audit trail, oldest first, one entry per line, as it streams from the service.

import { Readable } from 'node:stream';
import { brokenOff, clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { codeOf } from '#cli/kit/failures/failure.ts';
import { outputFlag, writeOut } from '#cli/kit/output/output-file.ts';
import { ExportProgress } from './export-progress.ts';
import { auditFilters } from './filters.ts';

export const auditExport: Command = {
  name: 'audit export',
  about: {
    en: 'write out audit entries, oldest first, one JSON object per line',
    ko: '감사 기록을 오래된 순으로 한 줄에 JSON 하나씩 내보냅니다',
  },
  flags: {
    ...outputFlag,
    ...auditFilters,
    ...clientFlags,
  },

  async run(invocation) {
    const { flags, translator, streams, note } = invocation;
    const client = connect(invocation);
    const query = paramsOf<'GET /api/core/audit-logs/export'>(auditFilters, flags);
    const body = await client.stream('GET /api/core/audit-logs/export', query);
    using progress = new ExportProgress(invocation);
    try {
      await writeOut(Readable.from(progress.counting(body)), { output: flags.output, streams, note, translator });
    } catch (error) {
      // Errors of the operating system have a code; errors of fetch about a lost connection have none.
      throw codeOf(error) === '' ? brokenOff(client.url, error) : error;
    }
    progress.clear();
    note(translator.text('exported', { entries: String(progress.lines) }));
    return 0;
  },
};
