// The parameter type «cron». It lives here and not with the others because reading one takes the schedule itself.

import { wrongCron } from '#contract/errors.ts';
import { anyText, meaning } from '#http/params.ts';
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
