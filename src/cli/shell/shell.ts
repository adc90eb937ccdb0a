// vigil shell: queries typed one after another on a terminal, or read from standard input.

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { formatFlag, paramFlag } from '#cli/query/options.ts';

export const shell: Command = {
  name: 'shell',
  about: {
    en: 'run queries interactively, with history and completion, or those of a piped standard input',
    ko: '쿼리를 이어서 입력합니다(기록, 자동 완성). 표준 입력이 파이프이면 그 쿼리들을 차례로 실행합니다',
  },
  flags: { ...formatFlag, ...paramFlag, ...clientFlags },

  async run(invocation) {
    const client = connect(invocation);
    const { stdin = process.stdin, stdout } = invocation.streams;
    const isTyped = stdin.isTTY === true && stdout.isTTY === true && stdin.setRawMode !== undefined;
    if (isTyped) return await (await import('./session.ts')).runSession(invocation, client, stdin);
    return await (await import('./script.ts')).runScript(invocation, client, stdin);
  },
};
