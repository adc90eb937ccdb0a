// POST /log-schemas

import { duplicatedCode, duplicatedName } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import type { Clock } from '#kernel/clock.ts';
import { columnsOf, keyed } from './model.ts';
import { fields, newCode } from './params.ts';
import { codeOfName, findLogSchema, insertLogSchema } from './store.ts';

export const create = endpoint({
  title: 'Create log schema',
  method: 'POST',
  path: '/api/core/log-schemas',
  access: 'ADMIN',
  audit: 'log-schemas.create',
  params: { code: newCode, ...fields },
  answer: keyed,

  async run(input, { db, clock }: Call & { clock: Clock }) {
    const { code, name } = input;
    if (await findLogSchema(db, code)) throw duplicatedCode(code);
    if ((await codeOfName(db, name)) !== undefined) throw duplicatedName(name);
    const now = clock.now().epochMilliseconds;
    await insertLogSchema(db, { code, ...columnsOf(code, input), created_at: now, updated_at: now });
    return { code };
  },
});
