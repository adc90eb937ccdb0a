// PUT /loggers/:guid

import type { Nodes } from '#cluster/members/membership.ts';
import { duplicatedName, notFound } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { isNameTaken } from '#store/rows/names.ts';
import { applyAfterCommit, type CollectorDeps, requireCertificates, requireConfigs } from './collector-hooks.ts';
import { readSettingsOf, searchOf } from './model.ts';
import { fields } from './params.ts';
import { requireReferences } from './rules.ts';
import { findLogger, updateLogger } from './store.ts';

export const update = endpoint({
  title: 'Update logger',
  notes: 'Replaces all fields: a logger whose `enabled` is not given is stopped.',
  method: 'PUT',
  path: '/api/core/loggers/:guid',
  access: 'ADMIN',
  audit: 'loggers.update',
  params: { guid: guidOf('logger'), ...fields },
  answer: nothing,

  prepare: (input, needs: Needs) => requireConfigs(needs.db, input, needs),

  async run(input, needs: Needs) {
    const { db, clock, nodes } = needs;
    const { guid, model_guid, name, description = null, table_name, node = nodes.own.name } = input;
    const before = await findLogger(db, guid);
    if (!before) throw notFound('logger', guid);
    if (await isNameTaken(db, 'loggers', name, { except: guid })) throw duplicatedName(name);
    await requireReferences(db, { ...input, node }, nodes);
    await requireCertificates(db, input, needs);
    const enabled = input.enabled ? 1 : 0;
    const updated_at = clock.now().epochMilliseconds;
    const group_guid = input.group_guid ?? null;
    const isExpectedAnew = before.expect_every !== input.expect_every || before.enabled < enabled;
    await updateLogger(db, guid, {
      model_guid,
      name,
      description,
      table_name,
      group_guid,
      node,
      enabled,
      expect_every: input.expect_every,
      alarm_group_guid: input.alarm_group_guid ?? null,
      ...(isExpectedAnew ? { expected_since: updated_at } : {}),
      ...readSettingsOf(input),
      search: searchOf(input),
      updated_at,
    });
    applyAfterCommit(needs);
    return {};
  },
});

type Needs = Call & CollectorDeps & { readonly clock: Clock; readonly nodes: Nodes };
