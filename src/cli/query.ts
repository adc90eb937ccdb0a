// vigil query: runs a query at the service, shows how far it is, and writes its rows; or only checks it.

import { type Client, clientFlags, connect } from './client.ts';
import type { Command, Invocation } from './command.ts';
import { WRONG_USE } from './failure.ts';
import { Interruption } from './interruption.ts';
import { executed } from './query-execution.ts';
import { checked, mistakeLines } from './query-mistake.ts';
import { queryFlags, type Wish, wishOf } from './query-wish.ts';
import { jsonFlag, printJson } from './records.ts';
import { harmless } from './table.ts';

export const query: Command = {
  name: 'query',
  takes: 'TEXT',
  about: {
    en: 'run a query and write its rows; Ctrl-C cancels it',
    ko: '질의를 실행하고 결과를 출력합니다. Ctrl-C로 취소합니다',
  },
  flags: {
    ...queryFlags,
    check: {
      about: {
        en: 'only check the query: its mistakes, or its normalized text',
        ko: '실행하지 않고 검사만 합니다: 잘못된 곳, 없으면 정규화된 글',
      },
    },
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation) {
    const wish = wishOf(invocation);
    const client = connect(invocation);
    if (invocation.flags.check) return await check(client, wish, invocation);
    const { speech, streams, note } = invocation;
    using stop = new Interruption();
    const exitCode = await executed({
      ...{ client, wish, stop, speech, streams, note },
      isTimed: streams.stderr.isTTY === true,
      partShown: 'query-part-shown',
      mistaken: (mistakes) => mistakeLines(mistakes, wish.text, speech).forEach(note),
    });
    return stop.exitCode ?? exitCode;
  },
};

async function check(client: Client, wish: Wish, invocation: Invocation): Promise<number> {
  const { flags, print, note, speech } = invocation;
  const answer = await checked(client, wish);
  if (flags.json) printJson(invocation, answer);
  else if (answer.mistakes.length > 0) mistakeLines(answer.mistakes, wish.text, speech).forEach(note);
  else print(harmless(answer.normalized ?? ''));
  return answer.mistakes.length > 0 ? WRONG_USE : 0;
}
