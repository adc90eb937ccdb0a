// vigil audit export: the audit trail, oldest first, one entry per line, as it streams from the service.

import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Mistake } from '#kernel/mistake.ts';
import { auditFilters } from './audit-filters.ts';
import { brokenOff, clientFlags, connect, queryOf } from './client.ts';
import type { Command, Invocation } from './command.ts';
import { codeOf } from './failure.ts';
import { Progress } from './progress.ts';

export const auditExport: Command = {
  name: 'audit export',
  about: {
    en: 'write out audit entries, oldest first, one JSON object per line',
    ko: '감사 기록을 오래된 순으로 한 줄에 JSON 하나씩 내보냅니다',
  },
  flags: {
    output: {
      hint: 'FILE',
      about: { en: 'file to write in place of standard output', ko: '표준 출력 대신 쓸 파일' },
    },
    ...auditFilters,
    ...clientFlags,
  },

  async run(invocation) {
    const { flags, speech, note } = invocation;
    const client = connect(invocation);
    const body = await client.stream('/audit-logs/export', queryOf(auditFilters, flags));
    using progress = new Progress(invocation);
    try {
      const source = Readable.from(progress.counting(body));
      await (flags.output === undefined ? toStandardOutput(source, invocation) : toFile(source, flags.output));
    } catch (error) {
      // What the machine here refuses has a code; what fetch reports of a lost connection has none.
      throw codeOf(error) === '' ? brokenOff(client.url, error) : error;
    }
    progress.clear();
    note(speech.say('exported', { entries: String(progress.lines) }));
    return 0;
  },
};

async function toStandardOutput(source: Readable, { streams }: Invocation): Promise<void> {
  await pipeline(source, streams.stdout, { end: false });
}

/** Under another name until it is whole, so that nobody takes half an export for one. */
async function toFile(source: Readable, file: string): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(source, createWriteStream(part, { mode: 0o600 }));
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    const code = codeOf(error);
    throw code === '' ? error : new Mistake('cannot-write', { path: file, code }, { cause: error });
  }
}
