// A thread that reads lines, see reading-threads.ts.

import type { Reason } from '#ingest/decode/record.ts';
import type { Log } from '#ingest/intake.ts';
import { fixedClock } from '#ingest/reading/fixed-clock.ts';
import { type CompiledModel, compiledModel } from '#ingest/reading/model.ts';
import { type ModelReader, performTask, readerOf } from '#ingest/reading/reader.ts';
import { threadLimit } from '#ingest/reading/work-limit.ts';
import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { answerOrders } from '#runtime/answer-orders.ts';
import type { ModelParts, ReadingAnswer, ReadingContent, ReadLog } from './reading-message.ts';

/** Names of a shape that the main thread receives at once. */
const MAX_SENT_NAMES = 2000;

type Reading = Extract<ReadingContent, { kind: 'read' }>['reading'];

/** A model as it was compiled, unless a rule refers to what is not there. */
interface ThreadModel {
  readonly parts: ModelParts;
  compiled: CompiledModel | undefined;
}

const models = new Map<number, ThreadModel>();
const entries = new Map<string, string[]>();
const groups = new Map<string, AddressGroup>();
/** Of the line that is read: reading does not wait, so there is one at a time. */
let current: { readonly groups: ReadonlyMap<string, AddressGroup>; readonly now: number } = { groups, now: 0 };

answerOrders<ReadingContent, ReadingAnswer>({
  async answer(content) {
    try {
      if (content.kind === 'read') return { outcome: sentLog(await read(content.reading)) };
      if (content.kind === 'model') models.set(content.serial, { parts: content.model, compiled: undefined });
      else if (content.kind === 'group') addEntries(content);
      else for (const kept of [models, entries, groups]) kept.clear();
      return {};
    } catch (error) {
      return { failure: new Error('not read', { cause: error }) };
    }
  },
});

function addEntries({ guid, entries: more, isFirst }: Extract<ReadingContent, { kind: 'group' }>): void {
  const all = isFirst ? [] : (entries.get(guid) ?? []);
  for (const entry of more) all.push(entry);
  entries.set(guid, all);
  groups.delete(guid);
}

function groupOf(guid: string): AddressGroup {
  const known = groups.get(guid) ?? new AddressGroup(entries.get(guid) ?? []);
  groups.set(guid, known);
  return known;
}

async function read({ serial, groups: guids, now, task }: Reading): Promise<Log | Reason> {
  const model = models.get(serial);
  if (!model) throw new Error(`no model ${serial}`);
  const existing = new Map(guids.map((guid) => [guid, groupOf(guid)]));
  current = { groups: existing, now };
  const reader = await readerFor(model);
  // Another line may have been read while the model was compiled.
  current = { groups: existing, now };
  return performTask(reader, task);
}

async function readerFor(model: ThreadModel): Promise<ModelReader> {
  const { parts } = model;
  const compiled = model.compiled ?? (await compiledModel(parts.model, parts.schemas, contextOf(parts)));
  if (compiled.isWhole) model.compiled = compiled;
  return readerOf(compiled, parts.zone, parts.table);
}

const contextOf = ({ zone, ruleSteps, parsers }: ModelParts) => ({
  zone,
  clock: fixedClock(() => current.now),
  limit: threadLimit(ruleSteps),
  parsers: new Map(parsers.map((row) => [row.code, row])),
  groups: () => current.groups,
});

function sentLog(outcome: Log | Reason): ReadLog | Reason {
  if (typeof outcome === 'string' || outcome.shape.names.length <= MAX_SENT_NAMES) return outcome;
  const { shape: _, ...log } = outcome;
  return log;
}
