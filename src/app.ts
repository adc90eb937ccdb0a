// Wires the rooms into one running service. Listening begins first, so that whoever asks during the start hears that
// it is starting; the store follows, then everything that needs it.

import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { Accounts } from '#access/accounts.ts';
import { KeyRate } from '#access/key-rate.ts';
import { RefusedAttempts } from '#access/refused-attempts.ts';
import { publicKeyText } from '#audit/checkpoint.ts';
import { AuditSearch } from '#audit/search.ts';
import { openTextIndex } from '#audit/text-index.ts';
import type { CallParts } from '#http/call.ts';
import type { AnyEndpoint, ServicesOf } from '#http/endpoint.ts';
import { createServer, type ServiceState } from '#http/server.ts';
import { LoggerCounters } from '#ingest/counters.ts';
import { addressSet } from '#kernel/address.ts';
import { type Clock, systemClock, within } from '#kernel/clock.ts';
import { Mistake } from '#kernel/mistake.ts';
import { operations, ownOperations } from '#resources/index.ts';
import type { Reference } from '#resources/service/reference.ts';
import { type SecretTrouble, Vault } from '#vault/vault.ts';
import type { Config } from './config.ts';
import { type Foundation, openFoundation } from './foundation.ts';
import { install } from './install.ts';
import { instruments } from './instruments.ts';
import { openCollectors } from './open-collectors.ts';
import { openDetection } from './open-detection.ts';
import { openEngine } from './open-engine.ts';
import { openImports } from './open-imports.ts';
import { openIngest } from './open-ingest.ts';
import { openQueries } from './open-queries.ts';
import { openScheduler } from './open-scheduler.ts';
import { checkParts } from './readiness.ts';
import { type ServiceLog, silentLog } from './service-log.ts';

const STOP_GRACE = Temporal.Duration.from({ seconds: 10 });
/** A scrape does not wait for an engine that is busy. */
const USE_PATIENCE = Temporal.Duration.from({ milliseconds: 250 });

export interface App {
  readonly url: string;
  /** True at the first start on this database. */
  readonly isNew: boolean;
  /** The key of `master` when it was made at this start: to be shown, once. */
  readonly newKey: string | undefined;
  /** Why tables are closed, when some are. */
  readonly secretTrouble: SecretTrouble | undefined;
  /** New calls are refused, running ones get ten seconds, then everything is written down and closed. */
  stop(): Promise<void>;
}

export interface AppOptions {
  readonly clock?: Clock;
  readonly log?: ServiceLog;
  /** The key the account `master` gets at the first start; one is made when absent. */
  readonly masterKey?: string;
}

export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { clock = systemClock, log = silentLog } = options;
  const measured = instruments(log);
  const service: Service = { state: 'starting', opened: undefined };
  const server: Listening = createServer({
    endpoints: endpointsOf(config),
    ownServices: {
      metrics: measured.metrics,
      reference: referenceOf(config, () => urlOf(server.server.address() as AddressInfo, config)),
      readiness: { check: () => checkParts(service.state, service.opened, clock) },
    },
    callParts: () => service.opened?.callParts,
    state: () => service.state,
    trustedProxies: addressSet(config['trusted-proxies']),
    bodyLimitBytes: config['body-limit'],
    dataLimitBytes: config['push-limit'],
    tls: readTls(config),
    observer: measured,
  });
  await listen(server, config);
  try {
    const address = () => new URL(urlOf(server.server.address() as AddressInfo, config)).host;
    const opened = await openParts(config, { ...options, clock, address }, measured);
    service.opened = opened;
    service.state = 'running';
    return {
      url: urlOf(server.server.address() as AddressInfo, config),
      isNew: opened.isNew,
      newKey: opened.newKey,
      secretTrouble: opened.secretTrouble,
      async stop() {
        service.state = 'stopping';
        await within(clock, STOP_GRACE, measured.allAnswered(), undefined);
        server.server.closeAllConnections();
        await server.close();
        await opened.close();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

type Listening = ReturnType<typeof createServer>;

async function listen(server: Listening, { host, port }: Config): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw new Mistake(
      code === 'EADDRINUSE' ? 'port-in-use' : 'cannot-listen',
      { host, port: String(port), code },
      { cause },
    );
  }
}

function endpointsOf(config: Config): readonly AnyEndpoint[] {
  // Erased here: what each needs is checked against `services` and `ownServices` below and above.
  return [...operations, ...ownOperations(config.metrics)] as unknown as readonly AnyEndpoint[];
}

/** Made with the first question: most services are never asked. */
function referenceOf(config: Config, url: () => string): Reference {
  const made: { openapi?: object; page?: Awaited<ReturnType<Reference['page']>> } = {};
  return {
    async openapi() {
      const { openapiOf } = await import('#http/openapi.ts');
      made.openapi ??= openapiOf(endpointsOf(config));
      return made.openapi;
    },
    async page() {
      const { referencePage } = await import('#http/reference-page.ts');
      made.page ??= referencePage(endpointsOf(config), url());
      return made.page;
    },
  };
}

async function openParts(
  config: Config,
  { clock, masterKey, address }: { clock: Clock; masterKey?: string | undefined; address: () => string },
  measured: ReturnType<typeof instruments>,
) {
  const foundation = await openFoundation(config, { clock, observer: measured });
  const { store, trail, signingKey, installation } = foundation;
  const newKey = await installOnce(foundation, { clock, masterKey });
  const { vault, trouble: secretTrouble } = await Vault.open(store, config.keys);
  if (secretTrouble) measured.secretTrouble(secretTrouble);
  const engine = await openEngine(config, { store, vault, clock }, measured);
  const { alarms, batchRules, streamRules, trials } = openDetection(config, { store, vault, clock }, measured);
  const watcher = streamRules;
  const uploads = await openImports(config, { store, engine, vault, clock, watcher }, measured);
  const index = openTextIndex(store, clock, () => trail.head);
  const accounts = new Accounts(store, clock);
  const counters = new LoggerCounters(store, clock, measured);
  const attempts = new RefusedAttempts({ trail, clock, limit: config['failed-auth-limit'] });
  const keyRate = new KeyRate(clock, { rate: config['key-rate'], burst: config['key-burst'] });
  const guidsMost = config['guids-limit'];
  const { intake, readers } = openIngest(config, { engine, store, clock, watcher }, measured);
  const collectors = await openCollectors(config, { store, engine, intake, readers, counters, clock }, measured);
  const asked = { store, engine, accounts, trail, counters, collectors, clock, address };
  const queries = await openQueries(config, asked, measured);
  const scheduler = await openScheduler(config, { store, queries, clock, batchRules }, measured);
  measured.watch({
    auditHead: () => trail.head.id,
    auditIndexLag: () => index.lag(),
    engineUse: () => within(clock, USE_PATIENCE, engine.use(), undefined),
    queries,
    scheduler,
  });
  for (const alarm of foundation.alarms) measured.alarm(alarm);
  const services: ServicesOf<typeof operations> = {
    accounts,
    attempts,
    auditPublicKey: publicKeyText(signingKey),
    auditSearch: new AuditSearch(store, index),
    batchRules,
    clock,
    collectors,
    counters,
    engine,
    intake,
    isTls: config['tls-cert'] !== undefined,
    pushLimits: {
      bodyBytes: config['push-limit'],
      lineBytes: config['line-limit'],
      reported: config['rejected-limit'],
    },
    queries,
    readers,
    scheduler,
    store,
    streamRules,
    trail,
    trials,
    uploads,
    vault,
    webhookTargets: config['webhook-targets'],
    zone: config['time-zone'],
  };
  const callParts: CallParts = { clock, store, trail, accounts, attempts, keyRate, guidsMost, services };
  async function close(): Promise<void> {
    await collectors.close();
    intake.close();
    await scheduler.close();
    await alarms.close();
    await trials.close();
    await queries.close();
    await attempts.close();
    await accounts.close();
    await counters.close();
    await uploads.close();
    await streamRules.close();
    await engine.close();
    await index.close();
    await foundation.close();
  }
  return { callParts, engine, scheduler, collectors, isNew: installation.isNew, newKey, secretTrouble, close };
}

/** Gives the key of `master` when it was made at this start. */
async function installOnce(foundation: Foundation, parts: { clock: Clock; masterKey?: string | undefined }) {
  if (!foundation.installation.isNew) return undefined;
  try {
    return await install(foundation.installation, { ...parts, trail: foundation.trail });
  } catch (error) {
    await foundation.close();
    throw error;
  }
}

interface Service {
  state: ServiceState;
  opened: Awaited<ReturnType<typeof openParts>> | undefined;
}

function readTls(config: Config): { cert: Buffer; key: Buffer } | undefined {
  const { 'tls-cert': cert, 'tls-key': key } = config;
  return cert && key ? { cert: readPem(cert), key: readPem(key) } : undefined;
}

function readPem(path: string): Buffer {
  if (!existsSync(path)) throw new Mistake('no-such-file', { path });
  return readFileSync(path);
}

function urlOf({ address, family, port }: AddressInfo, config: Config): string {
  const scheme = config['tls-cert'] ? 'https' : 'http';
  // Whoever listens everywhere is reached here on the loopback.
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `${scheme}://${host}:${port}`;
}
