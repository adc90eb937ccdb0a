// The names of members that are copied as they stand, in the order of the fields of their source: a name that has followed the
// one before it earlier is found without being read.

import type { FieldName } from '#logs/lines/field-names.ts';
import type { JsonText } from '#senders/wire/json-text.ts';
import type { MemberOffsets } from './member-offsets.ts';

export class CopiedNames {
  readonly #offsets: MemberOffsets;
  #previous: FieldName;

  constructor(offsets: MemberOffsets) {
    this.#offsets = offsets;
    this.#previous = offsets.source.names.beginning;
  }

  begin(): void {
    const { source } = this.#offsets;
    source.record += 1;
    this.#previous = source.names.beginning;
  }

  /** Reads the name of a member with its colon, where it has followed the last one before. */
  readNext(json: JsonText): FieldName | undefined {
    const previous = this.#previous;
    const { next, afterNext } = previous;
    if (next && json.readKnownName(next.key)) return this.#found(next);
    if (!(afterNext && json.readKnownName(afterNext.key))) return undefined;
    previous.afterNext = next;
    previous.next = afterNext;
    return this.#found(afterNext);
  }

  /** The name that the reader has read last, whose member begins at `from`; undefined if it has no offset. */
  learn(json: JsonText, from: number): FieldName | undefined {
    const isPlain = json.nameBytes === json.bytes;
    const name = isPlain ? this.#offsets.source.names.find(json.bytes, from, json.nameEnd + 1) : undefined;
    if (!name) {
      this.#offsets.isWhole = false;
      return undefined;
    }
    const previous = this.#previous;
    previous.afterNext = previous.next;
    previous.next = name;
    return this.#found(name);
  }

  #found(name: FieldName): FieldName {
    const { record } = this.#offsets.source;
    // Of a name given twice the last value counts, which the parser finds.
    if (name.line === record) this.#offsets.isWhole = false;
    name.line = record;
    this.#previous = name;
    return name;
  }
}
