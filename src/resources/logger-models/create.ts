// POST /logger-models

import { duplicatedGuid, duplicatedLoggerModel } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid } from '#http/params.ts';
import { created } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { newGuid } from '#kernel/guid.ts';
import { isTaken } from '#store/lists.ts';
import { columnsOf, requireParser } from './model.ts';
import { fields } from './params.ts';
import { insertModel } from './store.ts';

export const create = endpoint({
  title: 'Create logger model',
  method: 'POST',
  path: '/api/core/logger-models',
  access: 'ADMIN',
  audit: 'logger-models.create',
  params: { guid, ...fields },
  answer: created,

  async run(input, { db, clock }: Call & { clock: Clock }) {
    const { guid = newGuid(), name, parser_code } = input;
    if (await isTaken(db, 'logger_models', { name })) throw duplicatedLoggerModel(name);
    if (await isTaken(db, 'logger_models', { guid })) throw duplicatedGuid(guid);
    requireParser(parser_code);
    const now = clock.now().epochMilliseconds;
    await insertModel(db, { guid, ...columnsOf(input), created_at: now, updated_at: now });
    return { guid };
  },
});
