// DELETE /log-schemas

import { eachOnce } from '#contract/partial-outcome.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { codes, flag, orElse, required } from '#http/params.ts';
import { arrayOf, failures, object, optional, string } from '#http/shapes.ts';
import type { Db } from '#store/kysely.ts';
import { findLogSchema, modelsWith, removeLogSchema, tablesWith } from './store.ts';

const reference = object({ id: string, kind: string, guid: string, name: string, field: string });

export const remove = endpoint({
  title: 'Remove log schemas',
  notes:
    'Tables and logger models keep the code of a removed schema. With `dry_run=true` nothing is removed, and `references` says who ' +
    'refers to it; the key of a table, in `guid`, is its name.',
  method: 'DELETE',
  path: '/api/core/log-schemas',
  access: 'ADMIN',
  audit: 'log-schemas.remove',
  params: { codes: required(codes), dry_run: orElse(flag, false) },
  answer: object({ failures, references: optional(arrayOf(reference)) }),

  async run(input, { db }: Call) {
    const references: Awaited<ReturnType<typeof referencesTo>> = [];
    const { failures } = await eachOnce(input.codes, async (code) => {
      if (!(await findLogSchema(db, code))) return 'log-schema-not-found';
      if (input.dry_run) references.push(...(await referencesTo(db, code)));
      else await removeLogSchema(db, code);
      return undefined;
    });
    return input.dry_run ? { failures, references } : { failures };
  },
});

async function referencesTo(db: Db, code: string) {
  const models = await modelsWith(db, code);
  const tables = await tablesWith(db, code);
  return [
    ...models.map(({ guid, name }) => ({ id: code, kind: 'logger-model', guid, name, field: 'rules' })),
    ...tables.map((name) => ({ id: code, kind: 'table', guid: name, name, field: 'schema_code' })),
  ];
}
