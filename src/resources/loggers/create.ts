// POST /loggers

import { duplicatedGuid, duplicatedName } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid } from '#http/params.ts';
import { created } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { newGuid } from '#kernel/guid.ts';
import { isTaken } from '#store/lists.ts';
import { isNameTaken } from '#store/names.ts';
import { applyAfterCommit, type CollectorDeps, type RuleObserverDeps, requireConfigs } from './collector-hooks.ts';
import { readSettingsOf, searchOf } from './model.ts';
import { fields } from './params.ts';
import { requireReferences } from './rules.ts';
import { insertLogger } from './store.ts';

export const create = endpoint({
  title: 'Create logger',
  notes:
    'A logger takes logs once it is enabled. `configs` depends on the kind that its model gives. `syslog-udp`: `port`, `bind` (0.0.0.0). `syslog-tcp`: `port`, `bind`, `framing` (`newline` or `octet-count`, recognised when absent). `file`: `path` below a folder that the setting `collect-folders` allows, `pattern` of names below it, `from` (`start` or `end`, by default `end`) for files that are there already, `charset` (utf-8); it is read every `interval` milliseconds or by `cron_schedule`. `http` has none.',
  method: 'POST',
  path: '/api/core/loggers',
  access: 'ADMIN',
  audit: 'loggers.create',
  params: { guid, ...fields },
  answer: created,

  prepare: (input, needs: Needs) => requireConfigs(needs.db, input, needs),

  async run(input, needs: Needs) {
    const { db, clock } = needs;
    const { guid = newGuid(), model_guid, name, description = null, table_name, node, enabled } = input;
    if (await isNameTaken(db, 'loggers', name)) throw duplicatedName(name);
    if (await isTaken(db, 'loggers', { guid })) throw duplicatedGuid(guid);
    await requireReferences(db, input);
    applyAfterCommit(needs);
    needs.afterCommit(() => needs.streamRules.referredChanged('logger', guid));
    const now = clock.now().epochMilliseconds;
    await insertLogger(db, {
      guid,
      model_guid,
      name,
      description,
      table_name,
      group_guid: input.group_guid ?? null,
      node,
      enabled: enabled ? 1 : 0,
      ...readSettingsOf(input),
      log_count: 0,
      log_volume: 0,
      drop_count: 0,
      drop_volume: 0,
      search: searchOf(input),
      created_at: now,
      updated_at: now,
    });
    return { guid };
  },
});

type Needs = Call & CollectorDeps & RuleObserverDeps & { readonly clock: Clock };
