// Messages between the main thread and a thread that decodes the bodies of senders. A body whose table is foreseen is in memory that
// both share, where its records become lines and a file.

import type { BatchAnswer, BatchOrder } from '#ingest/decode/threads/decode-message.ts';
import type { BodyFault, Decoded, SenderRequest } from '#senders/decoded.ts';
import type { SenderName } from '#senders/names.ts';

export interface SenderOrder {
  readonly sender: SenderName;
  /** Handed over, or the number of its bytes in the memory of `filing`. */
  readonly body: Uint8Array<ArrayBuffer> | number;
  readonly request: SenderRequest;
  readonly filing?: FilingOrder;
}

/** What is told about the batch that may be made of the records. */
export interface FilingOrder extends BatchOrder {
  readonly memory: SharedArrayBuffer;
  readonly source: string;
  /** What records of the foreseen table name it, see `RecordGroup`. */
  readonly name: string | undefined;
}

/** A BodyRefused as plain data: a class does not cross threads. */
export interface RefusedBody {
  readonly fault: BodyFault;
  readonly item: number | undefined;
  readonly detail: string;
}

export type SenderAnswer =
  | {
      readonly decoded: Decoded;
      /** Of all records; absent where they are not those that were foreseen, or some are not plain. */
      readonly batch?: BatchAnswer | undefined;
    }
  | { readonly refused: RefusedBody }
  | { readonly failure: Error };
