// vigil query: runs a query, shows its progress and writes its rows; or only checks it.

import { type Client, clientFlags, connect } from '#cli/kit/client.ts';
import type { Command, Invocation } from '#cli/kit/command.ts';
import { isEntered } from '#cli/kit/confirm.ts';
import { WRONG_USE } from '#cli/kit/failures/failure.ts';
import { checkQuery, findingLines } from '#cli/kit/failures/findings.ts';
import { Interruption } from '#cli/kit/interruption.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { printable } from '#cli/kit/output/text-table.ts';
import { executeQuery } from './execution.ts';
import { explainQuery } from './explained.ts';
import { type QueryOptions, queryFlags, queryOptionsOf } from './options.ts';

export const query: Command = {
  name: 'query',
  takes: 'TEXT',
  about: {
    en: 'run a query and write its rows; Ctrl-C cancels it',
    ko: '쿼리를 실행하고 결과를 출력합니다. Ctrl-C로 취소합니다',
  },
  flags: {
    ...queryFlags,
    check: {
      about: {
        en: 'only check the query: print its errors and warnings, and its normalized text where it has no errors',
        ko: '실행하지 않고 검사만 합니다: 오류와 경고, 오류가 없으면 정규화된 쿼리',
      },
    },
    explain: {
      about: {
        en: 'show what the query does where, with rows and bytes read and moved, in place of its rows; with --check without running it',
        ko: '결과 대신 어디에서 무엇을 실행했는지와 읽고 옮긴 행과 바이트를 보여 줍니다. --check와 함께 쓰면 실행하지 않습니다',
      },
    },
    yes: {
      about: {
        en: 'run a refused query as it should read, without asking',
        ko: '거부된 쿼리를 고친 내용으로 묻지 않고 실행',
      },
    },
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation) {
    const options = queryOptionsOf(invocation);
    const client = connect(invocation);
    if (invocation.flags.explain) return await explainQuery(client, options, invocation);
    if (invocation.flags.check) return await check(client, options, invocation);
    const { translator, streams, note } = invocation;
    using stop = new Interruption();
    const exitCode = await executeQuery({
      client,
      options,
      stop,
      translator,
      streams,
      note,
      isTimed: streams.stderr.isTTY === true,
      partShown: 'query-part-shown',
      offerReplacement: (text) => offered(text, invocation),
      reportFindings: (findings) => findingLines(findings, options.text, translator).forEach(note),
    });
    return stop.exitCode ?? exitCode;
  },
};

/** At a terminal Enter runs it, elsewhere the flag --yes. */
async function offered(text: string, { flags, streams, translator, note }: Invocation): Promise<boolean> {
  note(translator.text('query-replacement', { text: printable(text) }));
  if (flags.yes !== undefined) return true;
  return (
    streams.stdin?.isTTY === true && (await isEntered(streams.stdin, streams.stderr, translator.text('query-run-it')))
  );
}

async function check(client: Client, options: QueryOptions, invocation: Invocation): Promise<number> {
  const { flags, print, note, translator } = invocation;
  const answer = await checkQuery(client, options);
  if (flags.json) printJson(invocation, answer);
  else findingLines(answer, options.text, translator).forEach(note);
  if (!flags.json && answer.mistakes.length === 0) print(printable(answer.normalized ?? ''));
  return answer.mistakes.length > 0 ? WRONG_USE : 0;
}
