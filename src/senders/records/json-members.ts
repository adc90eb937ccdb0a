// The members of a map in JSON as fields of a record.

import { ABSENT, type JsonText } from '#senders/wire/json-text.ts';
import type { RecordText } from './record-text.ts';

/** Asked for the name that was read last. */
interface MemberRules {
  /** Leaves the member out; the reader may be anywhere in its value then. */
  isSkipped?(): boolean;
  /** Whether the name is taken in any case. */
  isTaken?(): boolean;
}

/** Goes behind the map. A name that is taken gets the prefix. Members that stay as they are, are copied in one piece. */
export function writeMembers(json: JsonText, record: RecordText, prefix: Uint8Array, rules: MemberRules = {}): void {
  let pieceFrom = ABSENT;
  let pieceEnd = ABSENT;
  let shift = 0;
  const flush = () => {
    if (pieceFrom !== ABSENT) record.members(json.bytes, pieceFrom, pieceEnd, json.hasLineFeed(pieceFrom, pieceEnd));
    pieceFrom = ABSENT;
  };
  for (let more = json.begin(); more; more = json.next(true)) {
    const begin = json.at;
    json.readName();
    const from = json.at;
    const { nameBytes, nameFrom, nameEnd } = json;
    const isSkipped = rules.isSkipped?.() ?? false;
    json.at = from;
    const isTaken = !isSkipped && (rules.isTaken?.() ?? false);
    const isCopied = !isSkipped && !isTaken && nameBytes === json.bytes;
    const copied = isCopied ? record.takeCopied(nameBytes, nameFrom, nameEnd) : undefined;
    if (copied) {
      if (pieceFrom === ABSENT) {
        record.beginCopied();
        [pieceFrom, shift] = [begin, record.nextMember - begin];
      }
      const type = json.value();
      pieceEnd = json.at;
      record.offsets?.addKnown(copied, type, begin + shift, from + shift, pieceEnd + shift);
      continue;
    }
    flush();
    const isKept = !isSkipped && writeName(record, prefix, { nameBytes, nameFrom, nameEnd, isTaken });
    json.value();
    if (isKept) record.json(json.bytes, from, json.at, json.hasLineFeed(from, json.at));
  }
  flush();
}

function writeName(
  record: RecordText,
  prefix: Uint8Array,
  {
    nameBytes,
    nameFrom,
    nameEnd,
    isTaken,
  }: Pick<JsonText, 'nameBytes' | 'nameFrom' | 'nameEnd'> & { isTaken: boolean },
): boolean {
  return isTaken
    ? record.prefixedName(prefix, nameBytes, nameFrom, nameEnd, prefix)
    : record.name(nameBytes, nameFrom, nameEnd, prefix);
}
