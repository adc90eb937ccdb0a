// The parameter type «cron». It stands here, not with the other types, because validation needs the cron parser.

import { wrongCron } from '#contract/errors.ts';
import { anyText, meaning } from '#operations/params/params.ts';
import { parseCron } from './cron.ts';

/** A cron expression, kept as it was written. */
export const cron = meaning(
  anyText,
  {
    $comment: 'Cron expression: minute, hour, day, month and weekday, or six fields with seconds first.',
    examples: ['0 * * * *'],
  },
  (text) => {
    if (!parseCron(text)) throw wrongCron(text);
    return text;
  },
);
