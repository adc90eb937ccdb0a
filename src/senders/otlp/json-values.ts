// AnyValue and KeyValue of OTLP as JSON, written as plain JSON while they are read.

import { BOOL, DOUBLE, LONG, NULL, OTHER, STRING } from '#logs/lines/field-names.ts';
import type { RecordText } from '#senders/records/record-text.ts';
import { type JsonText, MalformedText } from '#senders/wire/json-text.ts';

/** Lists and maps inside each other that a value may have. */
const MAX_DEPTH = 100;
/** A value that stands before its key is read twice, and one may be inside another: so many bytes are read again in a record. */
const MAX_AGAIN_BYTES = 4 * 1024 * 1024;
/** And so many times the whole body. */
const MAX_AGAIN_BODIES = 8;

const KEY = Buffer.from('key');
const VALUE = Buffer.from('value');
const VALUES = Buffer.from('values');
const KINDS = {
  text: Buffer.from('stringValue'),
  bool: Buffer.from('boolValue'),
  int: Buffer.from('intValue'),
  double: Buffer.from('doubleValue'),
  list: Buffer.from('arrayValue'),
  map: Buffer.from('kvlistValue'),
  bytes: Buffer.from('bytesValue'),
} as const;
export type Kind = keyof typeof KINDS;
const EVERY_KIND = Object.entries(KINDS) as [Kind, Buffer][]; // Object.entries forgets the names.

const INT64 = /^-?\d{1,19}$/;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

export class JsonValues {
  readonly #json: JsonText;
  readonly #record: RecordText;
  /** The key that was read last. */
  #keyBytes: Buffer = Buffer.alloc(0);
  #keyFrom = 0;
  #keyEnd = 0;
  #againBytes = 0;
  #againInAll = 0;

  constructor(json: JsonText, record: RecordText) {
    this.#json = json;
    this.#record = record;
  }

  beginRecord(): void {
    this.#againBytes = 0;
  }

  /** Reads an AnyValue: `write` is to go behind the value that is set. False where none is. Of several the first counts. */
  any(write: (kind: Kind) => void): boolean {
    const json = this.#json;
    if (!json.isMap) {
      requireNull(json);
      return false;
    }
    let isFound = false;
    for (let more = json.begin(); more; more = json.next(true)) {
      json.readName();
      const kind: Kind | undefined =
        isFound || json.isNull ? undefined : EVERY_KIND.find(([, name]) => json.isName(name))?.[0];
      if (kind) write(kind);
      else json.value();
      isFound ||= kind !== undefined;
    }
    return isFound;
  }

  /** Writes the AnyValue that begins here; an empty one is null. */
  write(depth = 0): void {
    if (!this.any((kind) => this.writeKind(kind, depth))) this.#record.null();
  }

  /** Writes the value of an AnyValue. */
  writeKind(kind: Kind, depth = 0): void {
    if (kind !== 'list' && kind !== 'map') this.#scalar(kind);
    else if (depth === MAX_DEPTH) {
      this.#record.fail('nested-too-deep');
      this.#json.pass();
    } else if (kind === 'list') this.#list(depth + 1);
    else this.#map(depth + 1);
  }

  /** Reads the KeyValues of a list. `begin` writes the name of each; where it gives false, the value is left out. */
  pairs(begin: (key: Buffer, from: number, end: number) => boolean, depth = 0): void {
    this.elements(() => this.#pair(begin, depth));
  }

  /** Reads the list that begins here; an absent one is null. */
  elements(read: () => void): void {
    const json = this.#json;
    if (!json.isList) requireNull(json);
    else for (let more = json.begin(); more; more = json.next(false)) read();
  }

  /** Reads the list `values` in the message that begins here. */
  inValues(read: () => void): void {
    const json = this.#json;
    if (!json.isMap) {
      requireNull(json);
      return;
    }
    for (let more = json.begin(); more; more = json.next(true)) {
      json.readName();
      if (json.isName(VALUES)) read();
      else json.value();
    }
  }

  #pair(begin: (key: Buffer, from: number, end: number) => boolean, depth: number): void {
    const json = this.#json;
    if (!json.isMap) throw new MalformedText('an attribute is no map');
    let isKeyRead = false;
    let valueAt = -1;
    let isWritten = false;
    for (let more = json.begin(); more; more = json.next(true)) {
      json.readName();
      if (json.isName(KEY)) {
        this.#readKey();
        isKeyRead = true;
      } else if (json.isName(VALUE) && isKeyRead && !isWritten) {
        this.#writePair(begin, depth);
        isWritten = true;
      } else {
        if (json.isName(VALUE)) valueAt = json.at;
        json.pass();
      }
    }
    if (isKeyRead && !isWritten) this.#writeAgain(begin, valueAt, depth);
  }

  #writePair(begin: (key: Buffer, from: number, end: number) => boolean, depth: number): void {
    if (begin(this.#keyBytes, this.#keyFrom, this.#keyEnd)) this.write(depth);
    else this.#json.value();
  }

  /** A value that stood before its key, or is absent. */
  #writeAgain(begin: (key: Buffer, from: number, end: number) => boolean, valueAt: number, depth: number): void {
    const json = this.#json;
    const end = json.at;
    if (valueAt === -1) {
      if (begin(this.#keyBytes, this.#keyFrom, this.#keyEnd)) this.#record.null();
      return;
    }
    this.#againBytes += end - valueAt;
    this.#againInAll += end - valueAt;
    if (this.#againBytes > MAX_AGAIN_BYTES || this.#againInAll > MAX_AGAIN_BODIES * json.bytes.length) {
      this.#record.fail('nested-too-deep');
      return;
    }
    json.at = valueAt;
    this.#writePair(begin, depth);
    json.at = end;
  }

  #readKey(): void {
    const json = this.#json;
    const from = json.at;
    const text = json.stringValue();
    if (text === undefined) throw new MalformedText('the key of an attribute is no text');
    const isPlain = json.at - from === text.length + 2;
    this.#keyBytes = isPlain ? json.bytes : Buffer.from(text);
    this.#keyFrom = isPlain ? from + 1 : 0;
    this.#keyEnd = isPlain ? json.at - 1 : this.#keyBytes.length;
  }

  #list(depth: number): void {
    const record = this.#record;
    let isFirst = true;
    record.beginList();
    this.inValues(() =>
      this.elements(() => {
        if (!isFirst) record.comma();
        isFirst = false;
        this.write(depth);
      }),
    );
    record.endList();
  }

  #map(depth: number): void {
    const record = this.#record;
    let isFirst = true;
    record.beginMap();
    this.inValues(() =>
      this.pairs((key, from, end) => {
        if (!isFirst) record.comma();
        isFirst = false;
        record.text(key, from, end);
        record.colon();
        return true;
      }, depth),
    );
    record.endMap();
  }

  #scalar(kind: Exclude<Kind, 'list' | 'map'>): void {
    const json = this.#json;
    const record = this.#record;
    const from = json.at;
    const type = json.value();
    const text = () =>
      json.bytes.toString('utf8', type === STRING ? from + 1 : from, type === STRING ? json.at - 1 : json.at);
    if (kind === 'text' && type === STRING) record.json(json.bytes, from, json.at);
    else if (kind === 'bool' && type === BOOL) record.json(json.bytes, from, json.at);
    else if (kind === 'bytes' && type === STRING) record.string(Buffer.from(text(), 'base64').toString('base64'));
    else if (kind === 'int' && INT64.test(text())) record.ascii(int64(text()));
    else if (kind === 'double' && (type === STRING || type === LONG || type === DOUBLE || type === OTHER)) {
      record.number(Number(text()));
    } else record.fail('malformed-json');
  }
}

/** A number beyond 64 bits becomes null. */
function int64(text: string): string {
  const value = BigInt(text);
  return value < MIN_INT64 || value > MAX_INT64 ? 'null' : String(value);
}

function requireNull(json: JsonText): void {
  if (json.value() !== NULL) throw new MalformedText('a message of OTLP is a map');
}
