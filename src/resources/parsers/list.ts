// GET /parsers

import { endpoint } from '#http/endpoint.ts';
import { keywords, paging } from '#http/params.ts';
import { boolean, listOf, optional, record, string } from '#http/shapes.ts';
import { PARSERS } from '#ingest/parsers/index.ts';
import { searchKeyword, searchText } from '#kernel/search-text.ts';

const parserRecord = record('Parser', {
  code: string('Code of the parser.', 'json'),
  name: string('Name of the parser.', 'JSON'),
  description: string('Description of the parser.', 'Reads each line as one JSON object.'),
  factory_name: string('Kind of the parser.', 'json'),
  builtin: boolean('Whether the parser belongs to the service.'),
  schema_code: optional(string('Code of the log schema of the parsed logs; absent where there is none.', 'web')),
});

export const list = endpoint({
  title: 'List parsers',
  notes: 'The built-in parsers, by name. They cannot be changed, and have no `schema_code`.',
  method: 'GET',
  path: '/api/core/parsers',
  access: 'MEMBER',
  params: { ...paging, keywords },
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
