// Stream rules for tests: a schema, tables and loggers whose logs are of it, rules over them, and what they have raised.

import { expect } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { created } from './accounts.ts';
import { EVENTS } from './detection.ts';
import { createSchema } from './rules.ts';
import type { Service, Wire } from './service.ts';
import { append, opened, STREAMS } from './uploads.ts';

type Caller = Pick<Service, 'call'>;
type Fields = Readonly<Record<string, string>>;

export const STREAM_RULES = '/api/core/stream-rules';
export const GROUPS = '/api/core/address-groups';

/** Where the logs of a schema go to, with the logger that takes them. */
export interface Stream {
  readonly schema: string;
  readonly table: string;
  readonly model: string;
  readonly logger: string;
  /** All at once. */
  push(...records: readonly object[]): Promise<void>;
}

interface StreamSpec {
  /** Null for none. */
  readonly schema?: string | null;
  readonly model?: string;
  /** Of the table. */
  readonly storage?: Fields;
}

/** A schema of its own unless one is named, with a table and a logger. */
export async function createStream(service: Caller, given: StreamSpec = {}): Promise<Stream> {
  const mark = `s${newGuid().slice(0, 8)}`;
  const schema = given.schema ?? mark;
  if (given.schema === undefined) await createSchema(service, schema);
  const ofTable = { table: mark, ...(given.schema === null ? {} : { schema_code: schema }), ...given.storage };
  const made = await service.call('POST', '/api/core/tables', { form: ofTable });
  expect(made.text).toBe('{}');
  const fields = { name: mark, logger_factory_name: 'http', parser_code: 'json' };
  const model = given.model ?? (await created(service, '/api/core/logger-models', fields));
  const form = { model_guid: model, name: mark, table_name: mark, enabled: 'true' };
  const logger = await created(service, '/api/core/loggers', form);
  return {
    schema,
    table: mark,
    model,
    logger,
    async push(...records) {
      const answer = await service.call('POST', `/api/core/loggers/${logger}/logs`, { json: records });
      expect(answer.json, answer.text).toMatchObject({ accepted: records.length });
    },
  };
}

export interface RuleSpec {
  readonly schema: string;
  /** Texts, or conditions as they are given. */
  readonly where: readonly (string | object)[];
  readonly fields?: Fields;
}

export const ruleForm = ({ schema, where, fields = {} }: RuleSpec): Fields => ({
  priority: 'HIGH',
  name: `rule ${newGuid()}`,
  msg: 'found $n',
  enabled: 'true',
  schema_code: schema,
  commands: JSON.stringify(where.map((one) => (typeof one === 'string' ? { template_id: 1, query: one } : one))),
  ...fields,
});

export const createStreamRule = (service: Caller, rule: RuleSpec): Promise<string> =>
  created(service, STREAM_RULES, ruleForm(rule));

/** Of a rule, oldest first. */
export async function eventsOf({ call }: Caller, rule: string): Promise<Wire[]> {
  return (await call('GET', `${EVENTS}?rule_guids=${rule}`)).json.events.toReversed();
}

/** What a rule has found, by the field `n` of its records, in their order. */
export async function found(service: Caller, rule: string): Promise<unknown[]> {
  return (await eventsOf(service, rule)).map(({ fields }) => fields.n).sort();
}

export async function createGroup(service: Caller, ...addresses: string[]): Promise<string> {
  const group = await created(service, GROUPS, { name: `g ${newGuid().slice(0, 8)}` });
  for (const ip of addresses) await created(service, `${GROUPS}/${group}/addresses`, { ip });
  return group;
}

/** Imports records as a file. */
export async function importRecords(service: Caller, table: string, records: readonly object[]): Promise<Wire> {
  const body = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const token = await opened(service, { file_size: Buffer.byteLength(body), metadata: { table } });
  expect((await append(service, token, { offset: 0, body })).status).toBe(204);
  return (await service.call('POST', `${STREAMS}/${token}/complete`, { key: null })).json;
}
