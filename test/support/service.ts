// A service of a test's own: real HTTP on a free port, real files in a temporary folder, a clock the test may drive.

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type App, type AppOptions, startApp } from '#app/app.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Config } from '#settings/index.ts';
import { readSettings } from '#settings/read-config.ts';
import type { MetadataDatabase } from '#test/parts.ts';
import { type Alone, NODES, newLogs, startBalanced } from './balanced-nodes.ts';
import { createMetadataDatabase, createMetadataFile } from './databases.ts';
import { keepTail } from './log-tails.ts';
import { defaultTransport, type Transport, trustedCertificate } from './tls.ts';

export const MASTER_KEY = 'vgl_test-master-key-0123456789abcdefghij';

export type Database = MetadataDatabase;

const ALL_DATABASES: readonly { readonly name: Database; readonly skip: string | undefined }[] = [
  // Several nodes need a database that they can share.
  ...(NODES > 1 ? [] : [{ name: 'sqlite', skip: undefined } as const]),
  { name: 'postgres', skip: inject('postgresReason') || undefined },
];

/** Those on which this part of the suite runs what holds on each, with the reason why one is left out, if it is. */
export const databases = ALL_DATABASES.filter(({ name }) => NODES > 1 || inject('databases').includes(name));

// biome-ignore lint/suspicious/noExplicitAny: what a service says is whatever it says; tests compare it as a whole.
export type Wire = any;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Wire;
}

export interface Service extends AsyncDisposable {
  readonly app: App;
  readonly config: Config;
  readonly url: string;
  /** Addresses of its nodes, for what each of them tells of itself. */
  readonly nodeUrls: readonly string[];
  /** Calls with the master key unless `key` says otherwise; `key: null` sends no Authorization. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  stop(): Promise<void>;
  /** Stops and starts again on the same folders. */
  restart(): Promise<void>;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServiceOptions extends AppOptions {
  readonly database?: Database;
  /** Why it has one node, however many the services of the suites have. */
  readonly alone?: Alone;
  readonly flags?: Readonly<Record<string, string>>;
  /** By default what the suites are run over. */
  readonly transport?: Transport;
}

export async function startService({
  database = 'sqlite',
  flags = {},
  alone,
  transport = defaultTransport(),
  ...options
}: ServiceOptions = {}): Promise<Service> {
  const folder = mkdtempSync(join(inject('folder'), 'service-'));
  const count = alone === undefined ? NODES : 1;
  const isShared = database === 'postgres' || count > 1;
  const location = isShared ? { database: await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`) } : {};
  const folders = { data: join(folder, 'data'), keys: join(folder, 'keys') };
  const logs = count > 1 ? { logs: await newLogs() } : {};
  // Records name their node; that of this machine differs.
  const given = { port: '0', node: 'vigil', ...folders, ...location, ...logs, ...tlsFlags(transport), ...flags };
  const { config, sources } = await readSettings({ flags: given, environment: {} });
  if (config.database === undefined) createMetadataFile(config.data);
  const log = keepTail(`the service in ${folder}`, options.log);
  const how = { masterKey: MASTER_KEY, sources, ...options, log };
  const start = async () => {
    if (count > 1) return await startBalanced({ count, flags: given, options: how });
    const only = await startApp(config, how);
    return { ...only, nodes: [only] };
  };
  let app = await start().catch((error: unknown) => {
    log[Symbol.dispose]();
    throw error;
  });
  let isRunning = true;

  async function stop(): Promise<void> {
    if (isRunning) await app.stop();
    isRunning = false;
  }

  return {
    get app() {
      return app;
    },
    get url() {
      return app.url;
    },
    get nodeUrls() {
      return app.nodes.map(({ url }) => url);
    },
    config,
    call: (method, path, call) => send(`${app.url}${path}`, method, call),
    stop,
    async restart() {
      await stop();
      app = await start();
      isRunning = true;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      log[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function tlsFlags(transport: Transport): Readonly<Record<string, string>> {
  if (transport === 'http') return {};
  const { cert, key } = trustedCertificate();
  return { 'tls-cert': cert, 'tls-key': key };
}

/** Its nodes, each asked by itself. */
export const nodesOf = ({ nodeUrls }: Pick<Service, 'nodeUrls'>): readonly Pick<Service, 'call'>[] =>
  nodeUrls.map((url) => ({ call: (method, path, call) => send(`${url}${path}`, method, call) }));

export async function send(url: string, method: string, options: CallOptions = {}): Promise<Reply> {
  const { key = MASTER_KEY, form, json, body, headers = {} } = options;
  const answer = await fetch(url, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(form ? { body: new URLSearchParams(form) } : {}),
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  const isJson = text !== '' && answer.headers.get('content-type')?.startsWith('application/json');
  return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : undefined };
}
