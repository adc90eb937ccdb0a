// vigil login --browser: prints a link that signs a browser in, alone, so that a command can open it.

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { timeTextFor } from '#cli/kit/output/time-text.ts';
import { UsageError } from '#kernel/usage-error.ts';

export const login: Command = {
  name: 'login',
  about: { en: 'sign a browser in to the console', ko: '브라우저로 콘솔에 로그인합니다' },
  flags: {
    browser: {
      about: {
        en: 'print a link that signs in once, within ten minutes',
        ko: '십 분 안에 한 번만 로그인할 수 있는 링크를 출력',
      },
    },
    ...clientFlags,
  },

  async run(invocation) {
    const { flags, translator, print, note } = invocation;
    if (!flags.browser) throw new UsageError('login-browser-only');
    const client = connect(invocation);
    const { code, expires_at } = await client.call('POST /api/core/sessions/codes', {});
    print(`${client.url}/#code=${code}`);
    const timeText = await timeTextFor(client, invocation);
    note(translator.text('login-link', { time: timeText(expires_at) }));
    return 0;
  },
};
