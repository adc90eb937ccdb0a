// Messages between the main thread and a thread that decodes the bodies of senders.

import type { BodyFault, Decoded, SenderRequest } from './decoded.ts';
import type { SenderName } from './names.ts';

export interface SenderOrder {
  readonly id: number;
  readonly sender: SenderName;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly request: SenderRequest;
}

/** A BodyRefused as plain data: a class does not cross threads. */
export interface RefusedBody {
  readonly fault: BodyFault;
  readonly item: number | undefined;
  readonly detail: string;
}

export type SenderAnswer =
  | { readonly id: number; readonly decoded: Decoded }
  | { readonly id: number; readonly refused: RefusedBody }
  | { readonly id: number; readonly failure: Error };
