// vigil migrate check

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command, Invocation } from '#cli/kit/command.ts';
import { jsonFlag } from '#cli/kit/output/records.ts';
import { listFolder } from './export-folder.ts';
import { ExportReader } from './exported-objects.ts';
import { Installation } from './installation.ts';
import { printReport } from './report.ts';
import { verdictsOn } from './verdicts.ts';

export const migrateCheck: Command = {
  name: 'migrate check',
  takes: 'DIR',
  about: {
    en: 'report what of an exported installation would load, what not and why; changes nothing',
    ko: '내보낸 설치에서 옮길 수 있는 것과 없는 것, 그 이유를 보고합니다. 아무것도 바꾸지 않습니다',
  },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation: Invocation) {
    const { words, translator } = invocation;
    const [dir = ''] = words;
    const { files, unread } = listFolder(dir);
    const client = connect(invocation);
    const objects = new ExportReader(dir, translator).objects(files);
    const installation = await Installation.of(client);
    const verdicts = await verdictsOn(objects, { client, installation, translator });
    return printReport({ verdicts, unread }, invocation);
  },
};
