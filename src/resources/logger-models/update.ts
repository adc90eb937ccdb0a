// PUT /logger-models/:guid

import { duplicatedLoggerModel, notFound } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { nothing } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { isTaken } from '#store/lists.ts';
import { columnsOf, requireParser } from './model.ts';
import { fields } from './params.ts';
import { findModel, updateModel } from './store.ts';

export const update = endpoint({
  title: 'Update logger model',
  method: 'PUT',
  path: '/api/core/logger-models/:guid',
  access: 'ADMIN',
  audit: 'logger-models.update',
  params: { guid: required(guid), ...fields },
  answer: nothing,

  async run(input, { db, clock }: Call & { clock: Clock }) {
    const { guid, name, parser_code } = input;
    if (!(await findModel(db, guid))) throw notFound('logger model', guid);
    if (await isTaken(db, 'logger_models', { name }, guid)) throw duplicatedLoggerModel(name);
    requireParser(parser_code);
    await updateModel(db, guid, { ...columnsOf(input), updated_at: clock.now().epochMilliseconds });
    return {};
  },
});
