// Parameters of operations that run a query or wait for one.

import { givenTwice, wrongDateRange } from '#contract/errors.ts';
import { described } from '#operations/described.ts';
import { exactMap } from './json-params.ts';
import { alongside, anyText, type Earlier, flag, int, orElse, type Reader, required } from './params.ts';
import { time } from './time-params.ts';

const MAX_WAIT_SECONDS = 60n;
const MAX_PARAMS_BYTES = 1024 * 1024;

export const q = required(described(anyText, 'Text of the query.', 'table duration=1h web | stats count by status'));

export const params = described(
  exactMap(MAX_PARAMS_BYTES),
  'Parameters that the query reads with `$("name")`: at most 1,048,576 bytes of JSON.',
);

/** The time range of a run: `_from` and `_to`, which `params` may give in its place. */
export const range = {
  from: described(
    beside('_from', time),
    'Beginning of the time range, inclusive, of each `table` and `fulltext` without a time of its own.',
    '2024-03-01 09:00:00+0900',
  ),
  to: described(
    alongside(beside('_to', time), (to, { from }) => {
      if (to && from instanceof Temporal.Instant && Temporal.Instant.compare(from, to) > 0) throw wrongDateRange();
    }),
    'End of that time range, exclusive.',
    '2024-03-01 10:00:00+0900',
  ),
};

export const readOnly = orElse(
  flag,
  false,
  'Whether a text that changes something is refused before anything runs: 92004 at the command.',
);

export const wait = orElse(
  int(0n, MAX_WAIT_SECONDS),
  0,
  'Seconds to wait at most before the answer; 0 for an answer at once.',
);

/** A parameter that `params` may give under another name, but not both at once. */
function beside<T>(name: string, reader: Reader<T | undefined>): Reader<T | undefined> {
  return {
    ...reader,
    read(given, own, context, earlier) {
      const value = reader.read(given, own, context, earlier);
      if (value !== undefined && isInParams(name, earlier)) throw givenTwice(own);
      return value;
    },
  };
}

function isInParams(name: string, { params }: Earlier = {}): boolean {
  return typeof params === 'object' && params !== null && Object.hasOwn(params, name);
}
