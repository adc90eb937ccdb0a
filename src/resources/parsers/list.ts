// GET /parsers

import { endpoint } from '#http/endpoint.ts';
import { anyText, paging } from '#http/params.ts';
import { boolean, listOf, optional, record, string } from '#http/shapes.ts';
import { PARSERS } from '#ingest/parsers/index.ts';
import { searchKeyword, searchText } from '#kernel/search-text.ts';

const parserRecord = record('Parser', {
  code: string,
  name: string,
  description: string,
  factory_name: string,
  builtin: boolean,
  schema_code: optional(string),
});

export const list = endpoint({
  title: 'List parsers',
  notes: 'The built-in parsers, by name. They cannot be changed, and have no `schema_code`.',
  method: 'GET',
  path: '/api/core/parsers',
  access: 'MEMBER',
  params: { ...paging, keywords: anyText },
  answer: listOf('parsers', parserRecord),

  async run({ offset, limit, keywords = '' }) {
    const matching = PARSERS.filter(({ code, name, description }) =>
      searchText([code, name, description]).includes(searchKeyword(keywords)),
    );
    const page = matching.slice(offset, offset + limit);
    return {
      total_count: matching.length,
      parsers: page.map(({ code, name, description }) => ({
        code,
        name,
        description,
        factory_name: code,
        builtin: true,
      })),
    };
  },
});
