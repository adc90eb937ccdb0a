// The line of an action in a bulk request: `{"create": {"_index": "web", "_id": "1"}}`.

import { type JsonText, MalformedText } from '#senders/wire/json-text.ts';
import { ACTIONS } from './bulk-facts.ts';

export interface Action {
  readonly action: (typeof ACTIONS)[number];
  /** Undefined where the path names it. */
  readonly index: string | undefined;
  /** Empty for none. */
  readonly id: string;
}

const METADATA = ['_index', '_id', 'op_type'].map((name) => Buffer.from(name));
const NAMES = ACTIONS.map((action) => ({ action, name: Buffer.from(action) }));

/** The first key counts, further ones and other metadata do not. Undefined where the line of the reader is no action. */
export function readAction(json: JsonText): Action | undefined {
  try {
    json.skipBlanks();
    if (!json.isMap || !json.begin()) return undefined;
    json.readName();
    const named = NAMES.find(({ name }) => json.isName(name))?.action;
    const offsets = json.offsets(METADATA);
    const end = json.at;
    const [index, id, opType] = offsets.map((offset) => json.scalarAt(offset));
    json.at = end;
    while (json.next(true)) {
      json.readName();
      json.value();
    }
    json.requireEnd();
    if (named === undefined || json.fault !== undefined) return undefined;
    const action = named === 'index' && opType === 'create' ? 'create' : named;
    return { action, index: index || undefined, id: id ?? '' };
  } catch (error) {
    if (error instanceof MalformedText) return undefined;
    throw error;
  }
}
