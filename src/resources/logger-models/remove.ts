// DELETE /logger-models

import { eachOnce } from '#contract/partial-outcome.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { flag, guids, orElse, required } from '#http/params.ts';
import { arrayOf, failures, guidText, object, optional, string } from '#http/shapes.ts';
import { findModel, loggersOf, removeModel } from './store.ts';

const reference = object({ id: guidText, kind: string, guid: guidText, name: string, field: string });

export const remove = endpoint({
  title: 'Remove logger models',
  notes: 'Loggers of a removed model take no logs. With `dry_run=true` nothing is removed and `references` names them.',
  method: 'DELETE',
  path: '/api/core/logger-models',
  access: 'ADMIN',
  audit: 'logger-models.remove',
  params: { guids: required(guids), dry_run: orElse(flag, false) },
  answer: object({ failures, references: optional(arrayOf(reference)) }),

  async run(input, { db }: Call) {
    const references: object[] = [];
    const { failures } = await eachOnce(input.guids, async (id) => {
      if (!(await findModel(db, id))) return 'logger-model-not-found';
      const loggers = await loggersOf(db, id);
      references.push(...loggers.map((logger) => ({ id, kind: 'logger', ...logger, field: 'model_guid' })));
      if (!input.dry_run) await removeModel(db, id);
      return undefined;
    });
    return input.dry_run ? { failures, references } : { failures };
  },
});
