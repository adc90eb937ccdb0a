// vigil parser show

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { printJson } from '#cli/kit/output/records.ts';
import { UsageError } from '#kernel/usage-error.ts';

export const parserShow: Command = {
  name: 'parser show',
  takes: 'CODE',
  about: { en: 'show one parser with its configuration, as JSON', ko: '파서 하나와 그 설정을 JSON으로 보여 줍니다' },
  flags: { ...clientFlags },

  async run(invocation) {
    const [code = ''] = invocation.words;
    const { parser } = await connect(invocation).call('GET /api/core/parsers/:code', { code });
    if (!parser) throw new UsageError('no-such-parser', { code });
    printJson(invocation, parser);
    return 0;
  },
};
