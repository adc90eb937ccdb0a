// PUT /log-schemas/:code

import { duplicatedName, notFound } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import type { Clock } from '#kernel/clock.ts';
import { columnsOf, keyed } from './model.ts';
import { code, fields } from './params.ts';
import { codeOfName, findLogSchema, updateLogSchema } from './store.ts';

export const update = endpoint({
  title: 'Update log schema',
  notes: 'Replaces: what is absent goes. The code stays.',
  method: 'PUT',
  path: '/api/core/log-schemas/:code',
  access: 'ADMIN',
  audit: 'log-schemas.update',
  params: { code, ...fields },
  answer: keyed,

  async run(input, { db, clock }: Call & { clock: Clock }) {
    const { code, name } = input;
    if (!(await findLogSchema(db, code))) throw notFound('log schema', code);
    if (((await codeOfName(db, name)) ?? code) !== code) throw duplicatedName(name);
    await updateLogSchema(db, code, { ...columnsOf(code, input), updated_at: clock.now().epochMilliseconds });
    return { code };
  },
});
