// vigil audit verify: proves a whole audit log, in a database or an export, against evidence outside of it. Takes
// no lock and writes nothing, so it works beside a running service too.

import type { Command } from '#cli/kit/command.ts';
import { FAILED } from '#cli/kit/failures/failure.ts';
import { configFlag, givenSettings, settingFlags } from '#cli/kit/setting-flags.ts';
import { printVerdict } from './verify-report.ts';
import { verifyDatabase, verifyExport } from './verify-subject.ts';
import { trustFlags } from './verify-trust.ts';

export const auditVerify: Command = {
  name: 'audit verify',
  about: {
    en: 'prove that no audit entry was changed, removed or inserted',
    ko: '감사 기록이 바뀌거나 지워지거나 끼워 넣어지지 않았음을 증명합니다',
  },
  flags: {
    ...settingFlags(['data', 'keys', 'database']),
    ...configFlag,
    export: {
      hint: 'FILE',
      about: {
        en: 'check this export, taken whole and without filters, in place of the database',
        ko: '데이터베이스 대신, 필터 없이 전부 내보낸 이 파일을 검사',
      },
    },
    ...trustFlags,
    json: { about: { en: 'print the verdict as JSON', ko: '판정을 JSON으로 출력' } },
  },

  async run(invocation) {
    const { config } = await givenSettings(invocation);
    const verify = invocation.flags.export === undefined ? verifyDatabase : verifyExport;
    const checked = await verify(invocation, config);
    printVerdict(invocation, checked, config['time-zone']);
    return checked.verdict.ok ? 0 : FAILED;
  },
};
