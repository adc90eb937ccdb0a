// The members of a map in JSON as fields of a record.

import type { RecordText } from './record-text.ts';
import type { JsonText } from './wire/json-text.ts';

/** Asked for the name that was read last. */
interface MemberRules {
  /** Leaves the member out; the reader may be anywhere in its value then. */
  isSkipped?(): boolean;
  /** Whether the name is taken in any case. */
  isTaken?(): boolean;
}

/** Goes behind the map. A name that is taken gets the prefix. */
export function writeMembers(json: JsonText, record: RecordText, prefix: Uint8Array, rules: MemberRules = {}): void {
  for (let more = json.begin(); more; more = json.next(true)) {
    json.readName();
    const from = json.at;
    const { nameBytes, nameFrom, nameEnd } = json;
    const isSkipped = rules.isSkipped?.() ?? false;
    json.at = from;
    if (isSkipped) {
      json.value();
      continue;
    }
    const isKept = rules.isTaken?.()
      ? record.prefixedName(prefix, nameBytes, nameFrom, nameEnd, prefix)
      : record.name(nameBytes, nameFrom, nameEnd, prefix);
    json.value();
    if (isKept) record.json(json.bytes, from, json.at, json.hasLineFeed(from, json.at));
  }
}
