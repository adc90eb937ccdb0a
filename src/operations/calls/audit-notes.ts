// The part of an audit entry about the objects of a call: their keys and names before the call, the outcome for each of
// several, and new objects. Made here for all operations; an operation adds only facts that its path and answer do not
// show.

import type { Params as AuditParams } from '#audit/entry.ts';
import type { Failure } from '#contract/partial-outcome.ts';
import { isGuid } from '#kernel/guid.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { Answer, type AnyEndpoint, type LeftAlone } from '#operations/endpoint.ts';
import type { RawParams, RawValue } from '#operations/requests/raw-params.ts';
import type { Db } from '#store/kysely.ts';
import { type Collection, namesOf } from '#store/rows/kept-names.ts';
import { type Addressed, addressedBy, type InPath } from './addressed.ts';

/** Items of each list in an entry. */
const MAX_LISTED = 100;
/** Characters of a key in an entry: codes and tokens may be any text. */
const MAX_KEY = 255;
/** Characters of a refused list that are searched for names: an entry names a hundred of them. */
const MAX_LIST_CHARACTERS = 64 * 1024;

/** The outcome of a call as far as it shows outside of the operation. */
interface CallOutcome {
  readonly answer: object;
  readonly input: Readonly<Record<string, unknown>>;
  readonly leftAlone: readonly LeftAlone[];
}

interface OutcomeNotes {
  readonly notes: AuditParams;
  /** The reason why nothing was done at all, if so. */
  readonly error?: string;
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

export class AuditedObjects {
  readonly #addressed: Addressed;
  #keys: readonly string[] = [];
  #listed: readonly string[] = [];
  #names: readonly (string | undefined)[] = [];
  #listedNames = NO_NAMES;

  constructor(endpoint: AnyEndpoint) {
    this.#addressed = addressedBy(endpoint);
  }

  /** Reads the present names. `input` is the parsed form of `rawParams`, once parsed. */
  async look(db: Db, rawParams: RawParams, input: CallOutcome['input'] = {}): Promise<void> {
    const { inPath, listed } = this.#addressed;
    this.#keys = inPath.map(({ param }) => keyOf(rawParams.get(param)?.[0]));
    const names: (string | undefined)[] = [];
    for (const [index, { collection }] of inPath.entries()) {
      const key = this.#keys[index] ?? '';
      names.push((await namesOf(db, collection, [key], 1)).get(key));
    }
    this.#names = names;
    if (!listed) return;
    const keys = input[listed.param];
    this.#listed = Array.isArray(keys) ? [...new Set(keys.map(String))] : keysIn(rawParams.get(listed.param) ?? []);
    this.#listedNames = await namesOf(db, listed.collection, this.#listed, MAX_LISTED);
  }

  /** For a refused call, or one without further notes. */
  addressed(): AuditParams {
    const { inPath } = this.#addressed;
    const [outer, inner] = inPath;
    if (!outer) return this.#objects();
    if (!inner) return { ...called(outer.collection, this.#keys[0], this.#names[0]), ...this.#objects() };
    return { ...called(inner.collection, this.#keys[1], this.#names[1]), ...this.#containing(inner.collection, outer) };
  }

  answered(outcome: CallOutcome): OutcomeNotes {
    const { listed, made } = this.#addressed;
    const body = outcome.answer instanceof Answer ? outcome.answer.body : outcome.answer;
    if (listed && typeof body === 'object' && 'failures' in body) {
      // The shape of the answer is checked: every operation with a list answers so.
      return this.#partial(body.failures as readonly Failure[], outcome);
    }
    if (made) return { notes: this.#made(made, body, outcome.input) };
    return { notes: { ...this.addressed(), ...this.#renamed(outcome.input) } };
  }

  #objects(): AuditParams {
    const { listed } = this.#addressed;
    if (!listed) return {};
    return { objects: [...this.#listedNames].map(([key, name]) => ({ guid: short(key), name })) };
  }

  #partial(failures: readonly Failure[], { input, leftAlone }: CallOutcome): OutcomeNotes {
    const succeeded = this.#listed.length - failures.length - leftAlone.length;
    const notes = {
      ...this.addressed(),
      succeeded,
      failed: failures.length,
      failures: failures.slice(0, MAX_LISTED).map(shortFailure),
      skipped: leftAlone.slice(0, MAX_LISTED).map(shortFailure),
      ...(leftAlone.length === 0 ? {} : { skipped_count: leftAlone.length }),
      ...(input.dry_run === true ? { dry_run: true } : {}),
    };
    const [first] = failures;
    const isVain = first !== undefined && succeeded === 0 && leftAlone.length === 0 && input.dry_run !== true;
    return isVain ? { notes, error: first.reason } : { notes };
  }

  #made(
    collection: Collection,
    body: object | string | AsyncIterable<string>,
    input: CallOutcome['input'],
  ): AuditParams {
    const answered = typeof body === 'object' ? Object.entries(body) : [];
    const key = new Map(answered).get(collection.key) ?? input[collection.keyAs];
    const raw = input[collection.name] ?? key;
    const notes = called(collection, textOf(key), textOf(raw));
    const [outer] = this.#addressed.inPath;
    return outer ? { ...notes, ...this.#containing(collection, outer) } : notes;
  }

  /** The object that contains another. */
  #containing({ keyAs, within = 'outer' }: Collection, outer: InPath): AuditParams {
    const [key] = this.#keys;
    const [name] = this.#names;
    const keyName = keyAs === outer.collection.keyAs ? `${within}_${keyAs}` : outer.collection.keyAs;
    return { ...(key ? { [keyName]: short(key) } : {}), ...(name === undefined ? {} : { [`${within}_name`]: name }) };
  }

  #renamed(input: CallOutcome['input']): AuditParams {
    const { inPath } = this.#addressed;
    const [one, ...inner] = inPath;
    if (!one || inner.length > 0) return {};
    const now = input[one.collection.name];
    return typeof now === 'string' && this.#names[0] !== undefined && now !== this.#names[0] ? { new_name: now } : {};
  }
}

function called({ keyAs }: Collection, key: string | undefined, name: string | undefined): Record<string, string> {
  return { ...(key ? { [keyAs]: short(key) } : {}), ...(name === undefined ? {} : { name }) };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const short = (text: string): string => (text.length > MAX_KEY ? text.slice(0, MAX_KEY).toWellFormed() : text);

const shortFailure = ({ id, reason }: Failure): { [name: string]: Json } => ({ id: short(id), reason });

/** GUIDs are compared in lower case. */
function keyOf(raw: RawValue | undefined): string {
  const text = typeof raw === 'string' ? raw : '';
  return isGuid(text) ? text.toLowerCase() : text;
}

/** The items of a list in any notation, without repetition. An item that is not text names nothing. */
function keysIn(raw: readonly RawValue[]): string[] {
  const keys = new Set<string>();
  for (const value of raw) {
    const items = typeof value === 'string' ? value.slice(0, MAX_LIST_CHARACTERS).split(',') : value;
    if (!Array.isArray(items)) continue;
    for (const item of items) {
      if (typeof item === 'string' && item.trim() !== '') keys.add(keyOf(item.trim()));
    }
  }
  return [...keys];
}
