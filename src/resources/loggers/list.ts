// GET /loggers

import { grantee } from '#access/rights/table-rights.ts';
import { listOf } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { anyText, guid, keywords, paging } from '#operations/params/params.ts';
import { type LoggerViewDeps, loggerRecords } from './collector-hooks.ts';
import { loggerRecord } from './model.ts';
import { listLoggers } from './store.ts';

export const list = endpoint({
  title: 'List loggers',
  notes:
    'A MEMBER sees the loggers of the tables granted to it. `schema_code` is that of the table; `log_volume` of a ' +
    'collector counts the bytes that arrived, line ends included.',
  method: 'GET',
  path: '/api/core/loggers',
  access: 'MEMBER',
  params: {
    ...paging,
    keywords,
    schema_code: described(anyText, 'Code of the log schema that the table of the logger has.'),
    group_guid: described(guid, 'GUID of the logger group that the logger is in.'),
  },
  answer: listOf('loggers', loggerRecord),

  async run(input, needs: Call & LoggerViewDeps) {
    const { db, caller } = needs;
    const { total, rows } = await listLoggers(db, { ...input, grantee: grantee(caller) });
    return { total_count: total, loggers: await loggerRecords(rows, needs) };
  },
});
