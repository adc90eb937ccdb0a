// The first start of a version that reads texts in another way lists the saved texts that this concerns in the service
// log, once: patterns of dates and names of pivot columns (90920, 90921).

import { NO_ACCOUNT, onBehalfOf } from '#access/caller.ts';
import { readInstallation, recordInstallation } from '#app/foundation/installation-keys.ts';
import type { ServiceLog } from '#app/service-log.ts';
import { ApiError } from '#contract/errors.ts';
import { CONDITION_TEXTS, NO_ROWS, PANEL_TEXTS, PARSER_TEXTS, QUERY_TEXTS } from '#objects/references/saved-texts.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { CHANGED_SINCE, changedReadings } from '#query/model/date-pattern.ts';
import { messageOf } from '#query/model/messages.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';

interface ChangedTextsDeps {
  readonly store: Store;
  readonly queries: Pick<LiveQueries, 'check'>;
  readonly log: ServiceLog;
}

/** A row of the table `installation`: the version whose changes have been listed. */
const LISTED = 'changed-texts-listed';
const MESSAGE = 'a saved text is read in another way';
const CODES = [90920, 90921];
/** Other texts have none of them, and need not be read. */
const MAY_CHANGE = /\b(?:pivot|date)\b/;

/** Runs beside the service: texts are read with the rights of an administrator, one after the other. */
export function listChangedTexts(deps: ChangedTextsDeps): { close(): Promise<void> } {
  const stopped = new AbortController();
  const listing = list(deps, stopped.signal).catch((error: unknown) => {
    if (!stopped.signal.aborted) deps.log.warn({ error: String(error) }, 'saved texts could not be listed');
  });
  return {
    async close() {
      stopped.abort();
      await listing;
    },
  };
}

async function list({ store, queries, log }: ChangedTextsDeps, stopped: AbortSignal): Promise<void> {
  if ((await readInstallation(store))[LISTED] === CHANGED_SINCE) return;
  for (const { text, ...object } of await store.read(savedTexts)) {
    if (stopped.aborted) return;
    for (const { code, message, line, column } of await findingsIn(text, queries))
      if (CODES.includes(code)) log.warn({ ...object, code, line, column, finding: message }, MESSAGE);
  }
  for (const { pattern, ...object } of await store.read(savedPatterns)) {
    for (const { letters, reading } of changedReadings(pattern)) {
      const finding = messageOf(90921, { letters, version: CHANGED_SINCE, reading: { term: reading } }, 'en');
      log.warn({ ...object, code: 90921, finding }, MESSAGE);
    }
  }
  await store.write((db) => recordInstallation(db, { [LISTED]: CHANGED_SINCE }));
}

async function findingsIn(text: string, queries: ChangedTextsDeps['queries']) {
  try {
    return (await queries.check({ caller: onBehalfOf(NO_ACCOUNT), text })).warnings;
  } catch (error) {
    // An object in the text is unavailable, such as a table with a missing key.
    if (error instanceof ApiError) return [];
    throw error;
  }
}

async function savedTexts(db: Db) {
  const kinds = [...QUERY_TEXTS, PARSER_TEXTS, CONDITION_TEXTS, PANEL_TEXTS];
  const all = await Promise.all(
    kinds.map(async ({ kind, list: listOf }) => (await listOf(db)).map((saved) => ({ kind, ...saved }))),
  );
  const texts = all.flat();
  const datasets = new Map(texts.flatMap(({ kind, guid, text }) => (kind === 'dataset' ? [[guid, text]] : [])));
  return texts
    .map(({ dataset, text, ...object }) => {
      const lead = dataset === undefined ? undefined : datasets.get(dataset);
      return { ...object, text: lead === undefined ? text : `${lead} | ${text.slice(NO_ROWS.length)}` };
    })
    .filter(({ text }) => MAY_CHANGE.test(text));
}

/** Patterns of times in the settings of parsers. */
async function savedPatterns(db: Db) {
  const parsers = await db.selectFrom('parsers').select(['code as guid', 'name', 'configs']).orderBy('name').execute();
  const models = await db
    .selectFrom('logger_models')
    .select(['guid', 'name', 'parser_configs as configs'])
    .orderBy('name')
    .execute();
  const kinds = [
    ...parsers.map((row) => ({ kind: 'parser', ...row })),
    ...models.map((row) => ({ kind: 'logger-model', ...row })),
  ];
  return kinds.flatMap(({ configs, ...object }) => {
    const { time_format: pattern }: { time_format?: unknown } = JSON.parse(configs ?? '{}');
    return typeof pattern === 'string' ? [{ ...object, pattern }] : [];
  });
}
