// vigil key reset-master: replaces a lost key of `master`, with write access to the data folder. Works on a stopped service
// only: a running one holds accounts in memory.

import type { Command } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { configFlag, givenSettings, settingFlags } from '#cli/kit/setting-flags.ts';
import { makeOwnerOnly } from '#files/owner-only.ts';
import { systemClock } from '#kernel/time/clock.ts';

const unobserved = { groupCommitted: () => undefined, storeFailed: () => undefined };

export const keyResetMaster: Command = {
  name: 'key reset-master',
  about: {
    en: 'replace all keys of `master` by a new one, on the data folder of a stopped service',
    ko: '멈춘 서비스의 데이터 폴더에서 `master`의 모든 키를 새 키로 바꿉니다',
  },
  flags: { ...settingFlags(['data', 'keys', 'database']), ...configFlag, ...jsonFlag },

  async run(invocation) {
    makeOwnerOnly();
    const { config } = await givenSettings(invocation);
    const [{ openFoundation }, { resetMasterKey }] = await Promise.all([
      import('#app/foundation/foundation.ts'),
      import('#app/foundation/install.ts'),
    ]);
    const clock = systemClock;
    const foundation = await openFoundation(config, { clock, observer: unobserved, mustExist: true });
    const api_key = await resetMasterKey({ trail: foundation.trail, clock }).finally(() => foundation.close());
    if (invocation.flags.json) printJson(invocation, { api_key });
    else invocation.print(api_key);
    invocation.note(invocation.translator.text('master-key-reset'));
    return 0;
  },
};
