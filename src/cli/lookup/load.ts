// vigil lookup load

import { extname } from 'node:path';
import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { readTextFile } from '#cli/kit/files/text-file.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import type { AnswerFor } from '#client/call.ts';
import { findLookup } from './lookup.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.ndjson': 'application/x-ndjson',
  '.jsonl': 'application/x-ndjson',
};

export const lookupLoad: Command = {
  name: 'lookup load',
  takes: 'NAME-or-GUID FILE',
  about: {
    en: 'load rows from a file of CSV, JSON or lines of JSON, by its ending; all or none',
    ko: 'CSV, JSON, JSON 줄 파일의 행을 확장자에 따라 모두 적재하거나 하나도 적재하지 않습니다',
  },
  flags: {
    merge: { about: { en: 'keep the rows whose keys are not in the file', ko: '파일에 없는 키의 행은 유지' } },
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const [named = '', path = ''] = words;
    const client = connect(invocation);
    const { guid, name } = await findLookup(client, named);
    const body = readTextFile(path);
    const type = TYPES[extname(path).toLowerCase()] ?? 'text/csv';
    const mode = flags.merge === undefined ? 'replace' : 'merge';
    const sent = await client.request(
      'PUT /api/core/lookups/:guid/rows',
      { guid },
      { headers: { 'content-type': type }, query: { mode }, body },
    );
    const answer = await client.readExactly<AnswerFor<'PUT /api/core/lookups/:guid/rows'>>(sent);
    if (flags.json) printJson(invocation, answer);
    note(translator.text('lookup-loaded', { name, rows: String(answer.row_count), version: String(answer.version) }));
    return 0;
  },
};
