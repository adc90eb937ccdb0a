// The list of all sender protocols. A new one is added here.

import { elasticsearch } from './elasticsearch/sender.ts';
import { loki } from './loki/sender.ts';
import type { SenderName } from './names.ts';
import { otlp } from './otlp/sender.ts';
import type { Sender } from './sender.ts';
import { splunk } from './splunk/sender.ts';

export const senders = { otlp, elasticsearch, splunk, loki } as const satisfies Record<SenderName, unknown>;

/** Its own type of facts is erased: they go from its decoder to its answer alone. */
export const senderNamed = (name: SenderName): Sender => senders[name] as Sender;
