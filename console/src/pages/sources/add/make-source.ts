// Makes what a new source needs and is not there yet: the table, a model with the parser, the logger.

import { call } from '#console/client/call.ts';
import { configsOf } from '#console/pages/sources/logger-configs.ts';
import type { SourceDraft } from './table-step.tsx';

export interface Made {
  readonly table: string;
  /** The GUID of the logger; absent where logs are pushed to the table. */
  readonly logger: string | undefined;
}

interface MakeOptions {
  readonly parser: string;
  /** Whether the table exists. */
  readonly isThere: boolean;
}

/** Where a later part is refused, the parts before it are there and are used by the next attempt. */
export async function makeSource(draft: SourceDraft, { parser, isThere }: MakeOptions): Promise<Made> {
  const { table, retention = 0, factory, name } = draft;
  await ensureTable(table, { retention, isThere });
  if (factory === '') return { table, logger: undefined };
  const { guid } = await call('POST /api/core/loggers', {
    model_guid: await modelFor(factory, parser),
    name,
    table_name: table,
    enabled: true,
    configs: configsOf(draft, factory),
    ...(factory === 'file' && draft.interval !== undefined ? { interval: draft.interval } : {}),
    ...(factory === 'file' && draft.cron_schedule !== '' ? { cron_schedule: draft.cron_schedule } : {}),
  });
  return { table, logger: guid };
}

/** Makes the table where it is not there. `isThere`: the page knows that it is. */
export async function ensureTable(
  table: string,
  { retention, isThere }: { readonly retention: number; readonly isThere: boolean },
): Promise<void> {
  if (!isThere && !(await tableExists(table))) await call('POST /api/core/tables', { table, retention });
}

const tableExists = async (table: string): Promise<boolean> =>
  (await call('GET /api/core/tables/:table', { table })).table !== null;

/** A model of this kind with this parser and nothing else, made where there is none. */
async function modelFor(factory: string, parser: string): Promise<string> {
  const { logger_models: models } = await call('GET /api/core/logger-models', {});
  const fitting = models.find(
    (model) =>
      model.logger_factory_name === factory &&
      model.parser_code === parser &&
      model.rule_count === 0 &&
      Object.keys(model.parser_configs ?? {}).length === 0,
  );
  if (fitting) return fitting.guid;
  const taken = new Set(models.map(({ name }) => name));
  const base = `${factory} ${parser}`.slice(0, MAX_NAME - 3);
  const name = [base, ...Array.from({ length: models.length }, (_, index) => `${base} ${index + 2}`)].find(
    (candidate) => !taken.has(candidate),
  );
  const { guid } = await call('POST /api/core/logger-models', {
    name: name ?? base,
    logger_factory_name: factory as 'file', // One of those that a kind names.
    parser_code: parser,
  });
  return guid;
}

const MAX_NAME = 50;
