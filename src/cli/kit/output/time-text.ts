// Times of answers as the account of the key reads them: in its own time zone. The service writes them in its own.

import type { Client } from '#cli/kit/client.ts';
import type { Invocation } from '#cli/kit/command.ts';
import { ServiceError } from '#cli/kit/failures/failure.ts';
import { fromTimeText, stampsIn } from '#contract/times.ts';

/** Text that is no time stays as it is. */
export type TimeText = (text: string) => string;

export const asWritten: TimeText = (text) => text;

/** JSON is printed as the service gave it, and asks for no zone. */
export async function timeTextFor(client: Client, { flags }: Pick<Invocation, 'flags'>): Promise<TimeText> {
  if (flags.json) return asWritten;
  const zone = await zoneOf(client);
  return zone === undefined ? asWritten : timeTextIn(zone);
}

export function timeTextIn(zone: string): TimeText {
  const stamps = { seconds: stampsIn(zone), millis: stampsIn(zone, 'millis') };
  return (text) => {
    const at = STAMP.test(text) ? fromTimeText(text, 'UTC') : undefined;
    if (at === undefined) return text;
    return stamps[text.includes('.') ? 'millis' : 'seconds'](at);
  };
}

/** With milliseconds or without, and always with an offset. */
const STAMP = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{3})?[+-]\d{4}$/;

/** Undefined for a key that may not ask, and for an earlier version of the service, whose accounts have no zone. */
async function zoneOf(client: Client): Promise<string | undefined> {
  try {
    const { user } = await client.call('GET /api/core/sessions', {});
    const { time_zone: zone }: { readonly time_zone?: string } = user;
    return zone !== undefined && isKnownZone(zone) ? zone : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** The zones of this machine may be older than those of the service. */
function isKnownZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}
