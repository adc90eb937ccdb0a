// The writable fields of a logger. Fields that its kind does not use are stored, too. The configuration is validated once the
// kind is known.

import { tooManyCharacters } from '#contract/errors.ts';
import { expectEvery } from '#objects/expectations.ts';
import { meaningsOf } from '#operations/answers/shapes.ts';
import { describedBy } from '#operations/described.ts';
import { map } from '#operations/params/json-params.ts';
import { flag, guid, int, orElse, required, text } from '#operations/params/params.ts';
import { cron } from '#scheduler/cron/cron-param.ts';
import { loggerRecord } from './model.ts';

const words = (most: number) => text(most, tooManyCharacters);

export const fields = describedBy(
  {
    model_guid: required(guid),
    name: required(words(50)),
    description: words(2000),
    table_name: required(words(50)),
    group_guid: guid,
    node: words(50),
    interval: orElse(int(1000n), 5000),
    cron_schedule: cron,
    enabled: orElse(flag, false),
    expect_every: orElse(expectEvery, 0),
    alarm_group_guid: guid,
    configs: map,
  },
  meaningsOf(loggerRecord),
);
