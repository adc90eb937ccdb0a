// The answer to a bulk request: one item for each action, written as it is sent, because a request may have a million of them.

import { randomBytes } from 'node:crypto';
import type { Answer } from '#operations/endpoint.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';
import type { Fate } from '#senders/decoded.ts';
import { textAt } from '#senders/records/growing.ts';
import type { Outcome } from '#senders/sender.ts';
import { elasticAnswer, elasticError } from './answers.ts';
import { MAX_ID_BYTES } from './bulk.ts';
import { ACTIONS, type BulkFacts } from './bulk-facts.ts';

const ITEMS_A_CHUNK = 1000;
/** Of an id that Elasticsearch would make. */
const ID_BYTES = 15;
const ID_LETTERS = 20;

interface ItemError {
  readonly status: number;
  readonly type: string;
  readonly reason: string;
}

export function bulkAnswer(outcome: Outcome<BulkFacts>): Answer<object> {
  const { fates, milliseconds, accept } = outcome;
  const head = `{"took":${milliseconds},"errors":${fates.rejected > 0},"items":[`;
  const chunks = Math.ceil(fates.count / ITEMS_A_CHUNK);
  if (chunks <= 1) return elasticAnswer(`${head}${chunkOf(outcome, 0)}]}`, accept);
  return elasticAnswer(chunked(head, chunks, outcome), accept);
}

/** The one item of a request that stores one document. */
export function documentAnswer(outcome: Outcome<BulkFacts>): Answer<object> {
  const { accept } = outcome;
  const { _index, _id, ...item } = itemOf(outcome, 0, randomBytes(ID_BYTES).toString('base64url'));
  if ('error' in item) return elasticError({ status: item.status, ...item.error }, accept, RETRY[item.status] ?? {});
  const body = { _index, _id, _version: 1, result: 'created', _shards: { total: 1, successful: 1, failed: 0 } };
  return elasticAnswer(body, accept, { status: 201 });
}

const RETRY: Readonly<Record<number, Readonly<Record<string, string>>>> = { 429: { 'retry-after': '1' } };

async function* chunked(head: string, chunks: number, outcome: Outcome<BulkFacts>): AsyncGenerator<string> {
  yield head;
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    yield `${chunk === 0 ? '' : ','}${chunkOf(outcome, chunk)}`;
    await yieldToEventLoop();
  }
  yield ']}';
}

function chunkOf(outcome: Outcome<BulkFacts>, chunk: number): string {
  const { facts, fates } = outcome;
  const from = chunk * ITEMS_A_CHUNK;
  const count = Math.min(ITEMS_A_CHUNK, fates.count - from);
  // Ids and texts of indexes are made for all items at once: one by one they take longer than storing the records.
  const ids = randomBytes(ID_BYTES * count).toString('base64url');
  const indexes = new Map<number, string>();
  const items: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const item = from + at;
    const action = ACTIONS[facts.actions[item] ?? 0] ?? 'index';
    const made = ids.slice(at * ID_LETTERS, (at + 1) * ID_LETTERS);
    if (!fates.isKept(item)) {
      items.push(JSON.stringify({ [action]: itemOf(outcome, item, made) }));
      continue;
    }
    const position = facts.indexOf[item] ?? 0;
    const index = indexes.get(position) ?? JSON.stringify(facts.indexes[position] ?? '');
    indexes.set(position, index);
    const given = textAt(facts.ids, item);
    const id = given === '' ? `"${made}"` : JSON.stringify(given);
    items.push(`{"${action}":{"_index":${index},"_id":${id},"status":201,"result":"created"}}`);
  }
  return items.join(',');
}

/** `made` is the id of an item that brings none. */
function itemOf({ facts, fates }: Outcome<BulkFacts>, item: number, made: string) {
  const _index = facts.indexes[facts.indexOf[item] ?? 0] ?? '';
  const _id = textAt(facts.ids, item) || made;
  const fate = fates.of(item);
  if (fate === 'kept') return { _index, _id, status: 201, result: 'created' };
  const { status, type, reason } = errorOf(fate, { _index, _id });
  return { _index, _id, status, error: { type, reason } };
}

function errorOf(fate: Exclude<Fate, 'kept'>, { _index, _id }: { _index: string; _id: string }): ItemError {
  switch (fate) {
    case 'no-table':
      return { status: 404, type: 'index_not_found_exception', reason: `no such index [${_index}]` };
    case 'no-permission':
      return { status: 403, type: 'security_exception', reason: `no permission to write to [${_index}]` };
    case 'duplicate':
      return {
        status: 409,
        type: 'version_conflict_engine_exception',
        reason: `[${_id}]: version conflict, document already exists`,
      };
    case 'not-kept':
      return {
        status: 429,
        type: 'es_rejected_execution_exception',
        reason: 'the record was not stored: send it again',
      };
    case 'unsupported-action':
      return { status: 400, type: 'illegal_argument_exception', reason: 'documents cannot be changed or removed' };
    case 'invalid-id':
      return { status: 400, type: 'invalid_id', reason: `an _id has at most ${MAX_ID_BYTES} bytes` };
    default:
      return { status: 400, type: 'document_parsing_exception', reason: fate };
  }
}
