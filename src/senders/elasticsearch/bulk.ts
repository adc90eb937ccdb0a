// The body of a bulk request: a line with an action, then mostly one with its document.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { BodyRefused, type Decoded, type DecodeReason, MAX_NAMES, type SenderRequest } from '#senders/decoded.ts';
import { GrowingBytes, GrowingNumbers, GrowingTexts } from '#senders/records/growing.ts';
import type { LineTarget } from '#senders/records/line-target.ts';
import { RecordLines } from '#senders/records/record-lines.ts';
import type { RecordText } from '#senders/records/record-text.ts';
import { JsonText, MalformedText } from '#senders/wire/json-text.ts';
import { type Action, readAction } from './action.ts';
import { ACTIONS, type BulkFacts } from './bulk-facts.ts';
import { writeDocument } from './document.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Between two slices; mostly each second line ends an item. */
const SLICE_LINES = 64;
/** As Elasticsearch has them. */
const MAX_INDEX_LETTERS = 255;
const NO_ID = '';
/** As Elasticsearch has it. */
export const MAX_ID_BYTES = 512;

export class BulkActions {
  readonly #body: Buffer;
  readonly #request: SenderRequest;
  readonly #lines: RecordLines;
  readonly #record: RecordText;
  readonly #json: JsonText;
  readonly #actions = new GrowingBytes();
  readonly #indexes = new Map<string, number>();
  readonly #indexOf = new GrowingNumbers();
  readonly #ids = new GrowingTexts();
  /** Where the next line begins. */
  #at = 0;
  /** Of the last line. */
  #from = 0;
  #end = 0;
  #lineNumber = 0;
  /** The offset of the previous action line, and what it says: many bodies repeat one. */
  #lastFrom = 0;
  #lastEnd = 0;
  #lastAction: Action | undefined;

  constructor(body: Buffer, request: SenderRequest, target?: LineTarget) {
    this.#json = new JsonText(body);
    this.#body = this.#json.bytes;
    this.#request = request;
    this.#lines = new RecordLines(request.limits, body.length + body.length / 4, target);
    this.#record = this.#lines.newRecord();
  }

  *decode(): SlicedWork<Decoded<BulkFacts>> {
    while (this.#nextLine()) {
      if (this.#end === this.#from) this.#lines.countHolder();
      else this.#item(this.#action());
      if (this.#lineNumber % SLICE_LINES < 2) yield;
    }
    if (this.#lines.items === 0) throw new BodyRefused('empty', { detail: 'request body is required' });
    return this.#decoded();
  }

  /** One document alone, over as many lines as it likes. */
  decodeDocument(): Decoded<BulkFacts> {
    const action: Action = { action: 'index', index: undefined, id: NO_ID };
    this.#describe(action);
    this.#addDocument(action);
    return this.#decoded();
  }

  #item(action: Action): void {
    this.#describe(action);
    const isDeleted = action.action === 'delete';
    if (!isDeleted && !this.#nextLine()) throw this.#malformed('the document of an action is missing');
    if (isDeleted || action.action === 'update') this.#lines.reject('unsupported-action');
    else if (isTooLong(action.id)) this.#lines.reject('invalid-id');
    else {
      this.#json.openLine(this.#from, this.#end);
      this.#addDocument(action);
    }
  }

  /** A name or an id that is too long is cut in the answer, which repeats it for each item. */
  #describe({ action, index = this.#request.params.index ?? '', id }: Action): void {
    const shown = index.slice(0, MAX_INDEX_LETTERS);
    const number = this.#indexes.get(shown) ?? this.#indexes.size;
    if (number === MAX_NAMES) throw new BodyRefused('too-many-names');
    this.#indexes.set(shown, number);
    this.#actions.push(ACTIONS.indexOf(action));
    this.#indexOf.push(number);
    this.#ids.push(isTooLong(id) ? id.slice(0, MAX_ID_BYTES) : id);
  }

  /** The document that the reader is at. */
  #addDocument({ id, index = this.#request.params.index }: Action): void {
    const reason = this.#writeDocument(id) ?? this.#json.fault;
    if (reason !== undefined) this.#lines.reject(reason);
    else this.#lines.addRecord(index, this.#record);
  }

  /** Gives the reason where it is no document. */
  #writeDocument(id: string): DecodeReason | undefined {
    const json = this.#json;
    try {
      json.skipBlanks();
      const { isMap } = json;
      if (isMap) writeDocument(json, this.#record, id, this.#request.arrival);
      else json.value();
      json.requireEnd();
      return isMap ? undefined : 'not-an-object';
    } catch (error) {
      if (error instanceof MalformedText) return 'malformed-json';
      throw error;
    }
  }

  #action(): Action {
    if (this.#lastAction?.id === NO_ID && this.#isLastLine()) return this.#lastAction;
    this.#json.openLine(this.#from, this.#end);
    const action = readAction(this.#json);
    if (!action) throw this.#malformed('the action cannot be read');
    this.#lastFrom = this.#from;
    this.#lastEnd = this.#end;
    this.#lastAction = action;
    return action;
  }

  #isLastLine(): boolean {
    const body = this.#body;
    const from = this.#from;
    const last = this.#lastFrom;
    if (this.#end - from !== this.#lastEnd - last) return false;
    for (let at = from; at < this.#end; at += 1) if (body[at] !== body[at - from + last]) return false;
    return true;
  }

  #malformed(reason: string): BodyRefused {
    const detail = `Malformed action/metadata line [${this.#lineNumber}]: ${reason}`;
    return new BodyRefused('malformed', { item: this.#lines.items, detail });
  }

  #nextLine(): boolean {
    const body = this.#body;
    if (this.#at >= body.length) return false;
    const found = body.indexOf(LINE_FEED, this.#at);
    const end = found === -1 ? body.length : found;
    this.#from = this.#at;
    this.#end = end > this.#at && body[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    this.#at = end + 1;
    this.#lineNumber += 1;
    return true;
  }

  #decoded(): Decoded<BulkFacts> {
    if (this.#json.isOdd) this.#lines.giveUpOffsets();
    return this.#lines.decoded({
      actions: this.#actions.finished(),
      indexes: [...this.#indexes.keys()],
      indexOf: this.#indexOf.finished(),
      ids: this.#ids.finished(),
    });
  }
}

const isTooLong = (id: string): boolean => id.length * 3 > MAX_ID_BYTES && Buffer.byteLength(id) > MAX_ID_BYTES;
