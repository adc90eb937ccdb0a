// GET /parsers/:code

import { orNull, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { anyText, required } from '#operations/params/params.ts';
import { foundOrNull } from '#operations/shared-fields.ts';
import { findParser } from '#store/rows/parsers.ts';
import { builtIn, builtInRecord, parserRecord, storedRecord } from './model.ts';

export const get = endpoint({
  title: 'Get parser',
  method: 'GET',
  path: '/api/core/parsers/:code',
  access: 'MEMBER',
  params: { code: required(anyText, 'Code of the parser.') },
  answer: record({ parser: orNull(parserRecord)(foundOrNull('parser')) }),

  async run({ code }, { db, zone }: Call & { zone: string }) {
    const known = builtIn(code);
    if (known) return { parser: builtInRecord(known) };
    const row = await findParser(db, code);
    return { parser: row ? storedRecord(row, zone) : null };
  },
});
