// vigil verify-engine: holds a log store on ClickHouse against this node alone, over the user's own records. Reads only, and asks no
// service.

import { randomInt } from 'node:crypto';
import type { Command, Invocation } from '#cli/kit/command.ts';
import { errorText, FAILED, WRONG_USE } from '#cli/kit/failures/failure.ts';
import { Interruption } from '#cli/kit/interruption.ts';
import { givenSettings, settingFlags } from '#cli/kit/setting-flags.ts';
import { makeOwnerOnly } from '#files/owner-only.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { settings } from '#settings/index.ts';
import { VerifyProgress } from './progress.ts';
import { printReport } from './report.ts';

const MAX_MINUTES = 1440;

export const verifyEngine: Command = {
  name: 'verify-engine',
  takes: 'URL',
  about: {
    en: 'prove that ClickHouse answers as this node alone does, over records of your own; reads only',
    ko: '내 레코드로 ClickHouse와 이 노드 단독의 답이 같은지 확인합니다. 읽기만 합니다',
  },
  flags: {
    table: { hint: 'NAME', about: { en: 'this table alone', ko: '이 테이블만' } },
    minutes: {
      hint: 'N',
      about: { en: 'how long pipelines are generated', ko: '파이프라인을 만들어 비교하는 시간(분)' },
      initial: '10',
    },
    ...settingFlags(['logs-password-file', 'logs-time']),
    json: { about: { en: 'print the report as JSON', ko: '보고서를 JSON으로 출력' } },
  },

  /** Whatever keeps it from being run is 2. */
  async run(invocation) {
    makeOwnerOnly();
    using interruption = new Interruption();
    try {
      return await verify(invocation, interruption.signal);
    } catch (error) {
      if (interruption.exitCode !== undefined) return interruption.exitCode;
      invocation.note(`vigil: ${errorText(error, invocation.translator)}`);
      return WRONG_USE;
    }
  },
};

async function verify(invocation: Invocation, signal: AbortSignal): Promise<number> {
  const [text = ''] = invocation.words;
  const url = settings.logs.read(text, 'URL');
  if (url === 'embedded') throw new UsageError('setting-not-a-log-store', { name: 'URL' });
  const length = lengthOf(invocation.flags.minutes ?? '10');
  const { config } = await givenSettings(invocation);
  const { verifyEngine: run } = await import('#verification/verify-engine.ts');
  using progress = new VerifyProgress(invocation, length);
  const report = await run({
    url,
    length,
    signal,
    passwordFile: config['logs-password-file'],
    statementSeconds: config['logs-time'],
    table: invocation.flags.table,
    seed: randomInt(2 ** 32),
    progress: (findings) => progress.tell(findings),
  });
  progress.clear();
  printReport(invocation, report);
  if (report.findings.disagreements > 0) return FAILED;
  return report.findings.unanswered > 0 ? WRONG_USE : 0;
}

function lengthOf(text: string): Temporal.Duration {
  const minutes = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || minutes <= 0 || minutes > MAX_MINUTES) {
    throw new UsageError('verify-engine-bad-minutes', { text });
  }
  return Temporal.Duration.from({ milliseconds: Math.ceil(minutes * 60_000) });
}
