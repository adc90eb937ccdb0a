// GET /parsers

import { PARSERS } from '#ingest/parsers/index.ts';
import { searchKeyword, searchText } from '#kernel/text/search-text.ts';
import { listOf } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { keywords, paging } from '#operations/params/params.ts';
import { everyParser } from '#store/rows/parsers.ts';
import { builtInRecord, parserRecord, storedRecord } from './model.ts';

export const list = endpoint({
  title: 'List parsers',
  notes: 'The built-in parsers and the stored ones, by name and code. Built-in ones cannot be changed.',
  method: 'GET',
  path: '/api/core/parsers',
  access: 'MEMBER',
  params: { ...paging, keywords },
  answer: listOf('parsers', parserRecord),

  async run({ offset, limit, keywords: keyword = '' }, { db, zone }: Call & { zone: string }) {
    const stored = (await everyParser(db)).map((row) => storedRecord(row, zone));
    const matching = [...PARSERS.map(builtInRecord), ...stored]
      .filter(({ code, name, description = null }) =>
        searchText([code, name, description]).includes(searchKeyword(keyword)),
      )
      .sort((one, other) => compare(one.name, other.name) || compare(one.code, other.code));
    return { total_count: matching.length, parsers: matching.slice(offset, offset + limit) };
  },
});

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
