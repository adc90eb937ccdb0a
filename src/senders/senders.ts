// The list of all sender protocols. A new one is added here.

import type { SenderName } from './names.ts';
import { otlp } from './otlp/sender.ts';
import type { Sender } from './sender.ts';

export const senders = { otlp } as const satisfies Record<SenderName, unknown>;

/** Its own type of facts is erased: they go from its decoder to its answer alone. */
export const senderNamed = (name: SenderName): Sender => senders[name] as Sender;
