// vigil key renew-audit: for an installation whose audit key or witness was lost. Works on the data folder of a stopped service
// only.

import type { Command } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { configFlag, givenSettings, settingFlags } from '#cli/kit/setting-flags.ts';
import { makeOwnerOnly } from '#files/owner-only.ts';
import { systemClock } from '#kernel/time/clock.ts';

export const keyRenewAudit: Command = {
  name: 'key renew-audit',
  about: {
    en: 'replace a lost audit key or witness, on the data folder of a stopped service',
    ko: '멈춘 서비스의 데이터 폴더에서 잃어버린 감사 키 대신 새 키를 만듭니다',
  },
  flags: { ...settingFlags(['data', 'keys', 'database']), ...configFlag, ...jsonFlag },

  async run(invocation) {
    makeOwnerOnly();
    const { config } = await givenSettings(invocation);
    const { renewAudit } = await import('#app/foundation/renew-audit.ts');
    const { id, fingerprint } = await renewAudit(config, systemClock);
    if (invocation.flags.json) printJson(invocation, { id, fingerprint });
    else invocation.print(invocation.translator.text('audit-renewed', { id: String(id), fingerprint }));
    return 0;
  },
};
