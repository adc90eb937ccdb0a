// Tables, loggers and logs for tests.

import { created } from './accounts.ts';
import type { CallOptions, Reply, Service, Wire } from './service.ts';

type Caller = Pick<Service, 'call'>;

export interface LoggerOptions {
  readonly table: string;
  readonly parser?: string;
  readonly factory?: string;
  readonly enabled?: boolean;
  /** More fields of the table. */
  readonly storage?: Readonly<Record<string, string>>;
  /** More fields of the logger. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** The guid of a running `http` logger for a table, both made here. */
export async function createLogger(service: Caller, options: LoggerOptions): Promise<string> {
  const { table, parser = 'json', factory = 'http', enabled = true, storage = {}, fields = {} } = options;
  const answer = await service.call('POST', '/api/core/tables', { form: { table, ...storage } });
  if (answer.status !== 200) throw new Error(`no table: ${answer.text}`);
  const model = await created(service, '/api/core/logger-models', {
    name: `model of ${table}`,
    logger_factory_name: factory,
    parser_code: parser,
  });
  const form = { model_guid: model, name: `logger of ${table}`, table_name: table, enabled: String(enabled) };
  return await created(service, '/api/core/loggers', { ...form, ...fields });
}

export interface Pushed extends Omit<CallOptions, 'form' | 'json'> {
  readonly type?: string;
}

/** Pushes NDJSON unless `type` says otherwise. */
export function push(service: Caller, logger: string, { type, headers, ...options }: Pushed): Promise<Reply> {
  return service.call('POST', `/api/core/loggers/${logger}/logs`, {
    ...options,
    headers: { 'content-type': type ?? 'application/x-ndjson', ...headers },
  });
}

/** The rows of a query. */
export async function rowsOf(service: Caller, q: string, options: CallOptions = {}): Promise<Wire[]> {
  const answer = await service.call('GET', `/api/core/query?q=${encodeURIComponent(q)}`, options);
  if (answer.status !== 200) throw new Error(`not run: ${answer.text}`);
  return answer.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Without what the service adds. */
export const sent = ({ _id, _time, _table, ...fields }: Readonly<Record<string, unknown>>) => fields;
