// Wires the rooms into one running service. Listening begins first, so that requests during the start are answered with
// `service is starting`; the store follows, then the parts that need it.

import { Accounts } from '#access/accounts/accounts.ts';
import { DiskReserve } from '#files/disk-reserve.ts';
import { ConsoleFiles } from '#http/console/console-files.ts';
import type { ServedCallDeps, ServiceState } from '#http/server.ts';
import { publicKeyText } from '#kernel/public-key.ts';
import { type Clock, systemClock, withTimeout } from '#kernel/time/clock.ts';
import type { ServicesOf } from '#operations/endpoint.ts';
import { rehearse } from '#queries/check/rehearsal.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { nodeOperations, operations } from '#resources/index.ts';
import { consoleFolder } from '#runtime/bundle.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import type { Config } from '#settings/index.ts';
import type { ReadSettings } from '#settings/read-config.ts';
import { shownSettings } from '#settings/shown-settings.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import type { UnusableSecret } from '#vault/vault.ts';
import { OpenParts } from './closing.ts';
import { followChanges } from './foundation/cluster.ts';
import { openFoundation } from './foundation/foundation.ts';
import { fullDiskOf } from './foundation/full-disk.ts';
import { install, isKeyOfMaster, MASTER_KEY_IGNORED, signInCodeOfMaster } from './foundation/install.ts';
import { type Standby, type StandbyOptions, standbyOf } from './foundation/standby.ts';
import { openCollectors } from './ingestion/collectors.ts';
import { openCounters } from './ingestion/counters.ts';
import { openDetection } from './ingestion/detection.ts';
import { openIngest } from './ingestion/ingest.ts';
import { openSenders } from './ingestion/senders.ts';
import { openUploadStreams } from './ingestion/uploads.ts';
import { type Instruments, openInstruments } from './instruments.ts';
import { listChangedTexts } from './queries/changed-texts.ts';
import { openConnections } from './queries/connections.ts';
import { openCalls, openForwarding } from './queries/forwarding.ts';
import { openQueries, openStoredLookups } from './queries/queries.ts';
import { nodeQueriesOf, remoteNodes } from './queries/remote-nodes.ts';
import { openScheduler } from './queries/scheduler.ts';
import { type ServiceLog, silentLog } from './service-log.ts';
import { accountLimits } from './serving/account-limits.ts';
import { languageReference } from './serving/language-reference.ts';
import { bodiesOf, closeServers, createServers, listen, type Servers, urlOf } from './serving/listening.ts';
import { openRates } from './serving/rates.ts';
import { checkParts } from './serving/readiness.ts';
import { referenceOf } from './serving/reference.ts';
import { openAuditSearch, verifyTrail } from './storage/audit-trail.ts';
import { openClickhouseServers } from './storage/clickhouse-servers.ts';
import { openEngine } from './storage/engine.ts';
import { openVault } from './storage/vault.ts';

const STOP_GRACE = Temporal.Duration.from({ seconds: 10 });
/** A scrape of the metrics does not wait for a busy engine. */
const MAX_ENGINE_USE_WAIT = Temporal.Duration.from({ milliseconds: 250 });

export interface App {
  readonly url: string;
  /** Of the port for senders alone, where there is one. */
  readonly sendersUrl: string | undefined;
  /** True at the first start on this database. */
  readonly isNew: boolean;
  /** The key of `master` when this start created it: to be shown once. */
  readonly newKey: string | undefined;
  /** Set when tables are closed because the master secret is missing or wrong. */
  readonly unusableSecret: UnusableSecret | undefined;
  /** True where VIGIL_MASTER_KEY is not a key of `master`: it is read at the first start only. */
  readonly isMasterKeyIgnored: boolean;
  /** A one-time code for a console session of `master`; undefined where the account has no key. */
  createSignInCode(): Promise<string | undefined>;
  /** Runs small queries of its own once somebody uses the service, so that queries of people are fast from the beginning. */
  practise(until: AbortSignal): Promise<void>;
  /** Resolves when another process has taken the lease of the logs. No write succeeds after that: the process must end. */
  readonly lost: Promise<void>;
  /** Refuses new requests, gives running ones ten seconds, then flushes and closes all parts. */
  stop(): Promise<void>;
}

export interface AppOptions extends StandbyOptions {
  readonly clock?: Clock;
  readonly log?: ServiceLog;
  /** The key of the account `master` at the first start; created when absent. */
  readonly masterKey?: string;
  /** Where the settings came from, for the list of settings. */
  readonly sources?: ReadSettings['sources'];
  /** Of the built console, in place of the one beside this build. */
  readonly consoleFolder?: string;
}

export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { clock = systemClock, log = silentLog } = options;
  const instruments = openInstruments(log);
  const service: Service = { state: 'starting', opened: undefined };
  const stopping = new AbortController();
  const beginStop = () => {
    service.state = 'stopping';
    stopping.abort();
  };
  const bodies = bodiesOf(config, clock);
  instruments.watchBodies(bodies);
  const servers: Servers = createServers(config, new ConsoleFiles(options.consoleFolder ?? consoleFolder()), {
    ownServices: {
      metrics: instruments.metrics,
      reference: referenceOf(config, () => urlOf(servers.main, config)),
      readiness: { check: () => checkParts(service.state, service.opened, clock) },
    },
    callDeps: () => service.opened?.callDeps,
    state: () => service.state,
    clock,
    bodies,
    observer: instruments,
  });
  const parts = new OpenParts((error) => instruments.storeFailed(error));
  try {
    await listen(servers, config);
    const address = () => new URL(urlOf(servers.main, config)).host;
    const facts = { ...options, ...standbyOf(service, options), clock, address, stopping: stopping.signal };
    const opened = await openService({ config, facts, parts, instruments });
    parts.add({ close: () => bodies[Symbol.dispose]() }, { close: () => closeServers(servers) });
    service.opened = opened;
    service.state = 'running';
    const lost = opened.lost.then(beginStop);
    return {
      url: urlOf(servers.main, config),
      sendersUrl: servers.senders && urlOf(servers.senders, config),
      ...opened.said,
      lost,
      async stop() {
        beginStop();
        await withTimeout(clock, STOP_GRACE, instruments.allAnswered(), undefined);
        await parts.close();
      },
    };
  } catch (error) {
    // A start that fails leaves neither locks nor leases. Its error says more than one of closing.
    await parts.close().catch(() => undefined);
    await closeServers(servers);
    throw isOutOfSpace(error) ? fullDiskOf(config, error) : error;
  }
}

/** What every part is opened with. */
interface Start {
  readonly config: Config;
  readonly facts: StartFacts;
  /** Those that are open. A part that lets work in is added late, so that it is closed before what does the work. */
  readonly parts: OpenParts;
  readonly instruments: Instruments;
}

interface StartFacts extends Pick<AppOptions, 'sources'>, Standby {
  readonly clock: Clock;
  readonly masterKey?: string | undefined;
  readonly address: () => string;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/** In the order in which they need each other. */
async function openService(start: Start) {
  const base = await openBase(start);
  const storage = await openStorage(start, base);
  const ingestion = await openIngestion(start, storage);
  const work = await openWork(start, ingestion);
  return await openServing(start, work);
}

/** The data folder, the database and the audit trail. */
async function openBase({ config, facts, parts, instruments }: Start) {
  const { clock, address, standby } = facts;
  const disk = await DiskReserve.of(config.data);
  const foundation = await openFoundation(config, {
    clock,
    address,
    observer: instruments,
    clusterObserver: instruments,
    ...standby,
  });
  parts.add(foundation);
  for (const warning of foundation.warnings) instruments.log.warn({}, warning);
  if (foundation.narrowed) instruments.narrowed(foundation.narrowed);
  const { store, trail, signingKey, cluster } = foundation;
  return { clock, disk, foundation, store, trail, signingKey, cluster, nodes: cluster.nodes };
}

type Base = Awaited<ReturnType<typeof openBase>>;

/** The installation and its secrets, the logs, and the search of the audit trail. */
async function openStorage({ config, facts, parts, instruments }: Start, base: Base) {
  const { foundation, store, trail, clock } = base;
  const { installation, lease } = foundation;
  const clickhouseServers = await openClickhouseServers(config, {
    store,
    installation: installation.guid,
    log: instruments.log,
  });
  const { masterKey } = facts;
  const newKey = await install(installation, { trail, clock, masterKey });
  await clickhouseServers?.remember();
  await lease.share();
  // The process that installs has been alone until here.
  const { isExclusive } = lease;
  const isMasterKeyIgnored = masterKey !== undefined && !(await isKeyOfMaster(store, masterKey, clock));
  if (isMasterKeyIgnored) instruments.log.warn({}, MASTER_KEY_IGNORED);
  const { vault, unusableSecret } = await openVault(config, { store }, instruments);
  const engine = await openEngine(config, { ...base, isExclusive, vault, clickhouseServers }, instruments);
  const { index, auditSearch } = openAuditSearch(config, base, instruments);
  parts.add(index, engine);
  return { ...base, isExclusive, vault, engine, index, auditSearch, newKey, isMasterKeyIgnored, unusableSecret };
}

type Storage = Awaited<ReturnType<typeof openStorage>>;

/** The ways of logs into tables, and what watches them on their way. */
async function openIngestion({ config, parts, instruments }: Start, storage: Storage) {
  const { store, engine, vault, clock, cluster } = storage;
  const counters = await openCounters(config, storage, instruments);
  const detection = await openDetection(config, { store, engine, counters, vault, clock, cluster }, instruments);
  parts.add(detection.streamRules);
  const storedLookups = await openStoredLookups(config, { store, engine, clock });
  const opened = { ...storage, ...detection, counters, storedLookups, watcher: detection.streamRules };
  const ingest = await openIngest(config, opened, instruments);
  parts.add(ingest.readers, ingest.lineDecoder);
  const collectors = await openCollectors(config, { ...opened, ...ingest }, instruments);
  const uploads = await openUploadStreams(config, { ...opened, lineDecoder: ingest.lineDecoder }, instruments);
  parts.add(uploads, counters);
  return { ...opened, ...ingest, collectors, uploads };
}

type Ingestion = Awaited<ReturnType<typeof openIngestion>>;

/** Accounts, queries, the scheduler, and calls that are passed on to other nodes. */
async function openWork({ config, parts, instruments }: Start, ingestion: Ingestion) {
  const { store, trail, clock, cluster, nodes, index, engine, foundation } = ingestion;
  const later = (): { queries: LiveQueries; scheduler: Scheduler } => ({ queries, scheduler });
  const calls = openCalls(ingestion, instruments);
  const accounts = new Accounts(store, clock, cluster);
  parts.add({ close: () => calls?.[Symbol.dispose]() }, accounts);
  const rates = await openRates(config, ingestion);
  const connections = openConnections(config, ingestion);
  parts.add(rates, connections.sessionPool);
  const remotes = calls && remoteNodes({ nodes, accounts, calls, later }, instruments);
  const opened = { ...ingestion, ...connections, accounts, later };
  const { outbound: outboundHosts } = connections.connectionHosts;
  const queries: LiveQueries = await openQueries(
    config,
    { ...opened, outboundHosts, remoteNodes: remotes },
    instruments,
  );
  parts.add(queries, ingestion.previews, ingestion.trials);
  const lease = foundation.lease.id;
  const scheduler: Scheduler = await openScheduler(config, { ...opened, queries, lease }, instruments);
  parts.add(ingestion.alarms, ingestion.failures, ingestion.silentSources, scheduler);
  const forwarding = openForwarding(calls, { ...ingestion, queries });
  instruments.watch({
    auditHead: () => trail.head.id,
    auditIndexLag: () => index.lag(),
    engineUse: () => withTimeout(clock, MAX_ENGINE_USE_WAIT, engine.use(), undefined),
    queries,
    scheduler,
  });
  return { ...ingestion, ...connections, accounts, rates, queries, scheduler, forwarding };
}

type Work = Awaited<ReturnType<typeof openWork>>;

/** What answers requests, and work beside them. */
async function openServing({ config, facts, parts, instruments }: Start, work: Work) {
  const { foundation, store, cluster, disk, engine, queries, scheduler, collectors, intake, pushLimits } = work;
  const verification = verifyTrail(config, work, instruments);
  const senders = openSenders(config, { ...work, limits: pushLimits }, instruments);
  parts.add(senders.threads, intake, collectors, cluster, verification);
  const callDeps = callDepsOf(config, { ...work, ...facts, senders }, instruments);
  const keeping = await disk.keep(facts.clock);
  const changedTexts = listChangedTexts({ store, queries, log: instruments.log });
  parts.add(changedTexts, keeping);
  followChanges(cluster, work);
  return {
    said: saidOf(work, instruments),
    lost: foundation.lease.lost,
    callDeps,
    engine,
    scheduler,
    collectors,
    disk,
  };
}

type Senders = ReturnType<typeof openSenders>;

function callDepsOf(
  config: Config,
  parts: Work & Pick<StartFacts, 'stopping' | 'sources'> & { readonly senders: Senders },
  instruments: Instruments,
): ServedCallDeps {
  const { clock, store, trail, accounts, rates, disk, forwarding } = parts;
  const { attempts, refusals, repeats, keyRate } = rates;
  const services = servicesOf(config, parts, instruments);
  const most = { maxGuids: config['guids-limit'], maxValues: config['body-values'] };
  const ofCallers = { accounts, attempts, refusals, repeats, keyRate };
  return { clock, store, trail, ...ofCallers, disk, ...most, forwarding, services };
}

function servicesOf(
  config: Config,
  parts: Parameters<typeof callDepsOf>[1],
  instruments: Instruments,
): ServicesOf<typeof operations> & ServicesOf<typeof nodeOperations> & Senders['services'] {
  const { senders, sources, clock, stopping, queries, nodes, foundation } = parts;
  return {
    ...senders.services,
    ...accountLimits(config, { clock, stopping }),
    accounts: parts.accounts,
    attempts: parts.rates.attempts,
    auditPublicKey: publicKeyText(parts.signingKey),
    auditSearch: parts.auditSearch,
    batchRules: parts.batchRules,
    clock,
    collectors: parts.collectors,
    counters: parts.counters,
    engine: parts.engine,
    languageReference: languageReference(),
    logCounts: instruments,
    logsLease: foundation.lease,
    nodes,
    nodeQueries: nodeQueriesOf({ queries, nodes }, instruments),
    previews: parts.previews,
    pushLimits: parts.pushLimits,
    pushes: parts.pushes,
    queries,
    readers: parts.readers,
    scheduler: parts.scheduler,
    shownSettings: shownSettings(config, sources),
    silentSources: parts.silentSources,
    stopping,
    store: parts.store,
    storedLookups: parts.storedLookups,
    streamRules: parts.streamRules,
    trail: parts.trail,
    trials: parts.trials,
    uploads: parts.uploads,
    vault: parts.vault,
    webhookTargets: config['webhook-targets'],
    connectionHosts: parts.connectionHosts,
    sessionPool: parts.sessionPool,
    zone: config['time-zone'],
  };
}

function saidOf(parts: Work, instruments: Instruments) {
  const { foundation, store, trail, clock, queries, accounts, newKey, unusableSecret, isMasterKeyIgnored } = parts;
  const rehearsal = { queries, accounts, clock, failed: instruments.rehearsalFailed };
  return {
    isNew: foundation.installation.isNew,
    newKey,
    unusableSecret,
    isMasterKeyIgnored,
    createSignInCode: () => signInCodeOfMaster({ store, trail, clock }),
    practise: (until: AbortSignal) => rehearse(rehearsal, until),
  };
}

interface Service {
  state: ServiceState;
  opened: Awaited<ReturnType<typeof openService>> | undefined;
}
