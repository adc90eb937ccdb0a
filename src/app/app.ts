// Wires the rooms into one running service. Listening begins first, so that requests during the start are answered with
// `service is starting`; the store follows, then the parts that need it.

import { Accounts } from '#access/accounts.ts';
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
import { accountLimits } from './account-limits.ts';
import { openAuditSearch, verifyTrail } from './audit-trail.ts';
import { listChangedTexts } from './changed-texts.ts';
import { openClickhouseServers } from './clickhouse-servers.ts';
import { closeInTurn } from './closing.ts';
import { followChanges } from './cluster.ts';
import { openCollectors } from './collectors.ts';
import { openConnections } from './connections.ts';
import { openCounters } from './counters.ts';
import { openDetection } from './detection.ts';
import { openEngine } from './engine.ts';
import { openCalls, openForwarding } from './forwarding.ts';
import { type Foundation, openFoundation, orClose } from './foundation.ts';
import { fullDiskOf } from './full-disk.ts';
import { openIngest } from './ingest.ts';
import { install, isKeyOfMaster, MASTER_KEY_IGNORED, signInCodeOfMaster } from './install.ts';
import { type Instruments, openInstruments } from './instruments.ts';
import { languageReference } from './language-reference.ts';
import { bodiesOf, closeServers, createServers, listen, type Servers, urlOf } from './listening.ts';
import { openQueries, openStoredLookups } from './queries.ts';
import { openRates } from './rates.ts';
import { checkParts } from './readiness.ts';
import { referenceOf } from './reference.ts';
import { nodeQueriesOf, remoteNodes } from './remote-nodes.ts';
import { openScheduler } from './scheduler.ts';
import { openSenders } from './senders.ts';
import { type ServiceLog, silentLog } from './service-log.ts';
import { type Standby, type StandbyOptions, standbyOf } from './standby.ts';
import { openUploadStreams } from './uploads.ts';
import { openVault } from './vault.ts';

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
  try {
    await listen(servers, config);
    const address = () => new URL(urlOf(servers.main, config)).host;
    const parts = { ...options, ...standbyOf(service, options), clock, address, stopping: stopping.signal };
    const opened = await openParts(config, parts, instruments);
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
        await closeServers(servers);
        bodies[Symbol.dispose]();
        await opened.close();
      },
    };
  } catch (error) {
    await closeServers(servers);
    throw error;
  }
}

interface OpenOptions extends Pick<AppOptions, 'sources'>, Standby {
  readonly clock: Clock;
  readonly masterKey?: string | undefined;
  readonly address: () => string;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

async function openParts(config: Config, { address, standby, ...options }: OpenOptions, instruments: Instruments) {
  const { clock } = options;
  try {
    const disk = await DiskReserve.of(config.data);
    const foundation = await openFoundation(config, {
      clock,
      address,
      observer: instruments,
      clusterObserver: instruments,
      ...standby,
    });
    return await orClose(foundation, openService(config, { ...options, foundation, disk }, instruments));
  } catch (error) {
    throw isOutOfSpace(error) ? fullDiskOf(config, error) : error;
  }
}

type PartOptions = Omit<OpenOptions, 'address' | 'standby'> & {
  readonly foundation: Foundation;
  readonly disk: DiskReserve;
};

/** In the order in which they need each other. */
async function openService(config: Config, options: PartOptions, instruments: Instruments) {
  const base = await openBase(config, options, instruments);
  const records = await openRecords(config, { ...options, ...base }, instruments);
  const ways = await openWaysIn(config, { ...options, ...base, ...records }, instruments);
  const work = await openWork(config, { ...options, ...base, ...records, ...ways }, instruments);
  const parts = { ...options, ...base, ...records, ...ways, ...work };
  const verification = verifyTrail(config, parts, instruments);
  const senders = openSenders(config, { ...parts, limits: parts.pushLimits }, instruments);
  const callDeps = callDepsOf(config, { ...parts, senders }, instruments);
  const keeping = await options.disk.keep(options.clock);
  const changedTexts = listChangedTexts({ store: base.store, queries: work.queries, log: instruments.log });
  const { accounts, collectors, silentSources, scheduler } = parts;
  followChanges(options.foundation.cluster, { accounts, collectors, silentSources, scheduler });
  const inTurn = [keeping, changedTexts, verification, ...closedInTurn({ ...parts, senders })];
  return {
    said: saidOf(parts, instruments),
    lost: options.foundation.lease.lost,
    callDeps,
    engine: records.engine,
    scheduler,
    collectors,
    disk: options.disk,
    close: () => closeInTurn(inTurn, (error) => instruments.storeFailed(error)),
  };
}

/** The installation and its secrets. */
async function openBase(
  config: Config,
  { foundation, clock, masterKey }: Pick<PartOptions, 'foundation' | 'clock' | 'masterKey'>,
  instruments: Instruments,
) {
  const { store, trail, signingKey, installation, cluster } = foundation;
  for (const warning of foundation.warnings) instruments.log.warn({}, warning);
  if (foundation.narrowed) instruments.narrowed(foundation.narrowed);
  const clickhouseServers = await openClickhouseServers(config, {
    store,
    installation: installation.guid,
    log: instruments.log,
  });
  const newKey = await install(installation, { trail, clock, masterKey });
  await clickhouseServers?.remember();
  await foundation.lease.share();
  const isMasterKeyIgnored = masterKey !== undefined && !(await isKeyOfMaster(store, masterKey, clock));
  if (isMasterKeyIgnored) instruments.log.warn({}, MASTER_KEY_IGNORED);
  const { vault, unusableSecret } = await openVault(config, { store }, instruments);
  const { isExclusive } = foundation.lease;
  const opened = { store, trail, signingKey, cluster, nodes: cluster.nodes, clickhouseServers, vault, isExclusive };
  return { ...opened, newKey, isMasterKeyIgnored, unusableSecret };
}

type Base = Pick<PartOptions, 'foundation' | 'disk' | 'clock'> & Awaited<ReturnType<typeof openBase>>;

/** Logs and what watches them, the audit trail, and accounts. */
async function openRecords(config: Config, base: Base, instruments: Instruments) {
  const { foundation, store, trail, vault, clock, cluster } = base;
  const engine = await openEngine(config, base, instruments);
  const counters = await openCounters(config, { store, cluster }, instruments);
  const detection = await openDetection(config, { store, engine, counters, vault, clock, cluster }, instruments);
  const storedLookups = await openStoredLookups(config, { store, engine, clock });
  const { index, auditSearch } = openAuditSearch(config, { foundation, clock }, instruments);
  const accounts = new Accounts(store, clock, cluster);
  const rates = await openRates(config, { store, trail, cluster });
  return { ...detection, engine, counters, storedLookups, index, auditSearch, accounts, rates };
}

type Records = Base & Awaited<ReturnType<typeof openRecords>>;

/** The ways of logs into tables, and the outside that queries reach. */
async function openWaysIn(config: Config, records: Records, instruments: Instruments) {
  const { store, vault, clock, streamRules: watcher } = records;
  const ingest = await openIngest(config, { ...records, watcher }, instruments);
  const collectors = await openCollectors(config, { ...records, ...ingest }, instruments);
  const connections = openConnections(config, { store, vault, clock });
  const uploads = await openUploadStreams(
    config,
    { ...records, lineDecoder: ingest.lineDecoder, watcher },
    instruments,
  );
  return { ...ingest, ...connections, collectors, uploads };
}

type WaysIn = Records & Awaited<ReturnType<typeof openWaysIn>>;

/** Queries, the scheduler, and calls that are passed on to other nodes. */
async function openWork(config: Config, parts: WaysIn, instruments: Instruments) {
  const { nodes, accounts, trail, index, engine, connectionHosts, foundation } = parts;
  const later = (): { queries: LiveQueries; scheduler: Scheduler } => ({ queries, scheduler });
  const calls = openCalls(parts, instruments);
  const remotes = calls && remoteNodes({ nodes, accounts, calls, later }, instruments);
  const queries: LiveQueries = await openQueries(
    config,
    { ...parts, outboundHosts: connectionHosts.outbound, later, remoteNodes: remotes },
    instruments,
  );
  const scheduler: Scheduler = await openScheduler(
    config,
    { ...parts, queries, lease: foundation.lease.id },
    instruments,
  );
  const forwarding = openForwarding(calls, { ...parts, queries });
  instruments.watch({
    auditHead: () => trail.head.id,
    auditIndexLag: () => index.lag(),
    engineUse: () => withTimeout(parts.clock, MAX_ENGINE_USE_WAIT, engine.use(), undefined),
    queries,
    scheduler,
  });
  return { queries, scheduler, calls, forwarding };
}

type Work = WaysIn & Awaited<ReturnType<typeof openWork>>;
type Senders = ReturnType<typeof openSenders>;

function callDepsOf(
  config: Config,
  parts: Work & Pick<PartOptions, 'stopping' | 'sources'> & { readonly senders: Senders },
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

/** The parts that are closed after those of the whole service, each before what it needs. */
const closedInTurn = (parts: Work & { readonly senders: Senders }) => [
  parts.cluster,
  parts.collectors,
  parts.intake,
  parts.senders.threads,
  parts.scheduler,
  parts.silentSources,
  parts.failures,
  parts.alarms,
  parts.trials,
  parts.previews,
  parts.queries,
  parts.sessionPool,
  parts.rates,
  parts.accounts,
  { close: () => parts.calls?.[Symbol.dispose]() },
  parts.counters,
  parts.uploads,
  parts.lineDecoder,
  parts.readers,
  parts.streamRules,
  parts.engine,
  parts.index,
  parts.foundation,
];

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
  opened: Awaited<ReturnType<typeof openParts>> | undefined;
}
