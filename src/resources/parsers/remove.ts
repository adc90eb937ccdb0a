// DELETE /parsers

import { eachOnce } from '#contract/partial-outcome.ts';
import { references } from '#objects/references/reference-record.ts';
import { referencesTo } from '#objects/references/references.ts';
import { failures, optional, record } from '#operations/answers/shapes.ts';
import { endpoint } from '#operations/endpoint.ts';
import { codes, required } from '#operations/params/params.ts';
import { dryRun } from '#operations/shared-fields.ts';
import { findParser } from '#store/rows/parsers.ts';
import { builtIn, type ParserNeeds } from './model.ts';

export const remove = endpoint({
  title: 'Remove parsers',
  notes:
    'Loggers of a model whose parser has gone take no logs. With `dry_run=true` nothing is removed, and ' +
    '`references` names the objects that refer to the parser. A built-in parser is the reason `parser-builtin`.',
  method: 'DELETE',
  path: '/api/core/parsers',
  access: 'ADMIN',
  audit: 'parsers.remove',
  params: { codes: required(codes, 'Codes of the parsers to remove.'), dry_run: dryRun },
  answer: record({ failures, references: optional(references) }),

  async run({ codes: given, dry_run: isDry }, { db, collectors, afterCommit }: ParserNeeds) {
    const passed: string[] = [];
    const { failures: found } = await eachOnce(given, async (code) => {
      if (builtIn(code)) return 'parser-builtin';
      if (!(await findParser(db, code))) return 'parser-not-found';
      passed.push(code);
      if (!isDry) await db.deleteFrom('parsers').where('code', '=', code).execute();
      return undefined;
    });
    if (isDry) return { failures: found, references: await referencesTo(db, 'parsers', passed) };
    afterCommit(() => collectors.changed());
    return { failures: found };
  },
});
