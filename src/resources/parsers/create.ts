// POST /parsers

import { duplicatedCode, duplicatedName } from '#contract/errors.ts';
import { searchText } from '#kernel/text/search-text.ts';
import { endpoint } from '#operations/endpoint.ts';
import { isNameTaken } from '#store/rows/names.ts';
import { findParser } from '#store/rows/parsers.ts';
import {
  builtIn,
  columnsOf,
  newCode,
  type ParserNeeds,
  parserFields,
  requireSchema,
  validateText,
  writtenParser,
} from './model.ts';

export const create = endpoint({
  title: 'Create parser',
  notes:
    'The kinds `regex`, `csv`, `key-value`, `json` and `xml` are configured like the built-in parsers and the ' +
    'commands of these names; `query` has `query`, a pipeline of `search`, `matchnet`, `eval`, `rex`, `parsekv`, ' +
    '`parsejson`, `fields`, `rename`, `parse`, `parsecsv`, `parsexml`, `fillnull`, `bin` and `explode` over the ' +
    'field `line`, checked like a query. The code of a built-in parser is in use.',
  method: 'POST',
  path: '/api/core/parsers',
  access: 'ADMIN',
  audit: 'parsers.create',
  params: { code: newCode, ...parserFields },
  answer: writtenParser,
  prepare: (input, needs: ParserNeeds) => validateText(input, needs),

  async run({ code, ...input }, { db, clock }: ParserNeeds, findings) {
    if (builtIn(code) || (await findParser(db, code))) throw duplicatedCode(code);
    if (await isNameTaken(db, 'parsers', input.name, { key: 'code' })) throw duplicatedName(input.name);
    await requireSchema(db, input);
    const now = clock.now().epochMilliseconds;
    const search = searchText([code, input.name, input.description ?? null]);
    const columns = { ...columnsOf(input), search, created_at: now, updated_at: now };
    await db
      .insertInto('parsers')
      .values({ code, ...columns })
      .execute();
    return { code, ...findings };
  },
});
