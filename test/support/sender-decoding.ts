// Decoders of sender protocols, run at once: what they make of a body as values.

import { runToEnd, type SlicedWork } from '#kernel/sliced-work.ts';
import { repairJson } from '#kernel/text/storable-text.ts';
import { BodyRefused, type Decoded, FATES, type SenderRequest } from '#senders/decoded.ts';

type Decode<Facts> = (body: Buffer, request: SenderRequest) => SlicedWork<Decoded<Facts>>;

/** The moment at which the requests of `requestOf` arrive. */
export const ARRIVAL = Date.UTC(2026, 0, 1);

export const requestOf = (parts: Partial<SenderRequest> = {}): SenderRequest => ({
  route: '',
  type: 'application/json',
  encoding: 'identity',
  params: {},
  mappings: [],
  arrival: { at: ARRIVAL, zone: 'UTC' },
  limits: { bodyBytes: 64 * 1024 * 1024, bytes: 64 * 1024 * 1024, lineBytes: 1024 * 1024, items: 1_000_000 },
  ...parts,
});

/** By table name, with their items, repaired as the reader of lines does it; the fates of all items; or the fault that refuses the body. */
export function decodedBy<Facts>(decode: Decode<Facts>, body: string | Buffer, parts: Partial<SenderRequest> = {}) {
  try {
    const { groups, fates, facts } = runToEnd(decode(Buffer.from(body), requestOf(parts)));
    return { tables: groups.map(tableOf), fates: [...fates].map((fate) => FATES[fate]), facts };
  } catch (error) {
    if (error instanceof BodyRefused) return { fault: error.fault, item: error.item };
    throw error;
  }
}

/** The records of a body that is kept whole and names one table at most. */
export function recordsBy<Facts>(decode: Decode<Facts>, body: string | Buffer, parts: Partial<SenderRequest> = {}) {
  const decoded = decodedBy(decode, body, parts);
  if (!('tables' in decoded)) throw new Error(`refused: ${decoded.fault}`);
  return decoded.tables.flatMap(({ records }) => records);
}

const tableOf = ({ name, lines, items }: Decoded['groups'][number]) => ({
  name,
  records: Buffer.from(lines)
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(repairJson(line))),
  items: [...items],
});
