// POST /loggers/:guid/enable and /loggers/:guid/disable

import { alreadyDisabled, alreadyEnabled, notFound } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { applyAfterCommit, type CollectorDeps } from './collector-hooks.ts';
import { findLogger, updateLogger } from './store.ts';

export const enable = endpoint({
  title: 'Enable logger',
  method: 'POST',
  path: '/api/core/loggers/:guid/enable',
  access: 'ADMIN',
  audit: 'loggers.enable',
  params: { guid: guidOf('logger') },
  answer: nothing,

  run: (input, needs: Needs) => turn(input.guid, true, needs),
});

export const disable = endpoint({
  title: 'Disable logger',
  method: 'POST',
  path: '/api/core/loggers/:guid/disable',
  access: 'ADMIN',
  audit: 'loggers.disable',
  params: { guid: guidOf('logger') },
  answer: nothing,

  run: (input, needs: Needs) => turn(input.guid, false, needs),
});

type Needs = Call & CollectorDeps & { readonly clock: Clock };

async function turn(guid: string, isOn: boolean, needs: Needs): Promise<object> {
  const { db, clock } = needs;
  const logger = await findLogger(db, guid);
  if (!logger) throw notFound('logger', guid);
  if ((logger.enabled === 1) === isOn) throw isOn ? alreadyEnabled('logger', guid) : alreadyDisabled('logger', guid);
  const updated_at = clock.now().epochMilliseconds;
  await updateLogger(db, guid, {
    enabled: isOn ? 1 : 0,
    updated_at,
    ...(isOn ? { expected_since: updated_at } : {}),
  });
  applyAfterCommit(needs);
  return {};
}
