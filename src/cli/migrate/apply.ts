// vigil migrate apply

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command, Invocation } from '#cli/kit/command.ts';
import { jsonFlag } from '#cli/kit/output/records.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { created } from './creation.ts';
import { listFolder } from './export-folder.ts';
import { type ExportedObject, ExportReader } from './exported-objects.ts';
import { Installation } from './installation.ts';
import { printReport, type Report } from './report.ts';
import { verdictsOn } from './verdicts.ts';

export const migrateApply: Command = {
  name: 'migrate apply',
  takes: 'DIR',
  about: {
    en: 'create the objects of an exported installation; those that exist are left alone',
    ko: '내보낸 설치의 객체를 만듭니다. 이미 있는 것은 그대로 둡니다',
  },
  flags: {
    only: {
      hint: 'KIND/NAME,...',
      about: { en: 'only these, such as procedure/busy', ko: '이것만, 예: procedure/busy' },
    },
    'dry-run': { about: { en: 'report, and create nothing', ko: '보고만 하고 만들지 않음' } },
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation: Invocation) {
    const { flags, words, translator } = invocation;
    const [dir = ''] = words;
    const { files, unread } = listFolder(dir);
    const client = connect(invocation);
    const objects = chosen(new ExportReader(dir, translator).objects(files), flags.only);
    const installation = await Installation.of(client);
    const verdicts = await verdictsOn(objects, { client, installation, translator });
    if (flags['dry-run'] !== undefined) return printReport({ verdicts, unread }, invocation);
    const made: Report['verdicts'][number][] = [];
    try {
      for (const verdict of verdicts) made.push(await created(verdict, { client, installation }));
    } catch (error) {
      // The service cannot be reached any more: what was created so far is reported.
      printReport({ verdicts: made, unread }, invocation);
      throw error;
    }
    return printReport({ verdicts: made, unread }, invocation);
  },
};

function chosen(objects: readonly ExportedObject[], only: string | undefined): readonly ExportedObject[] {
  if (only === undefined) return objects;
  const nameOf = ({ kind, name }: ExportedObject) => `${kind}/${name}`;
  const wanted = only.split(',').map((one) => one.trim().normalize());
  const known = new Set(objects.map(nameOf));
  const missing = wanted.find((name) => !known.has(name));
  if (missing !== undefined) throw new UsageError('migrate-no-such-object', { name: missing });
  return objects.filter((object) => wanted.includes(nameOf(object)));
}
