// PUT /parsers/:code

import { duplicatedName, notFound, parserBuiltIn } from '#contract/errors.ts';
import { searchText } from '#kernel/text/search-text.ts';
import { endpoint } from '#operations/endpoint.ts';
import { anyText, required } from '#operations/params/params.ts';
import { isNameTaken } from '#store/rows/names.ts';
import { findParser } from '#store/rows/parsers.ts';
import {
  builtIn,
  columnsOf,
  type ParserNeeds,
  parserFields,
  requireSchema,
  validateText,
  writtenParser,
} from './model.ts';

export const update = endpoint({
  title: 'Update parser',
  notes:
    'Replaces: a field that is absent is removed. The code stays. A change acts on the next log and on queries that ' +
    'begin. A built-in parser is 500 `parser is built in: <code>`.',
  method: 'PUT',
  path: '/api/core/parsers/:code',
  access: 'ADMIN',
  audit: 'parsers.update',
  params: { code: required(anyText, 'Code of the parser.'), ...parserFields },
  answer: writtenParser,
  prepare: (input, needs: ParserNeeds) => validateText(input, needs),

  async run({ code, ...input }, { db, clock, collectors, afterCommit }: ParserNeeds, findings) {
    if (builtIn(code)) throw parserBuiltIn(code);
    if (!(await findParser(db, code))) throw notFound('parser', code);
    if (await isNameTaken(db, 'parsers', input.name, { key: 'code', except: code })) throw duplicatedName(input.name);
    await requireSchema(db, input);
    const search = searchText([code, input.name, input.description ?? null]);
    const changes = { ...columnsOf(input), search, updated_at: clock.now().epochMilliseconds };
    await db.updateTable('parsers').set(changes).where('code', '=', code).execute();
    afterCommit(() => collectors.changed());
    return { code, ...findings };
  },
});
