// Wires the rooms into one running service. Listening begins first, so that requests during the start are answered with
// `service is starting`; the store follows, then the parts that need it.

import { Accounts } from '#access/accounts.ts';
import { publicKeyText } from '#audit/checkpoint.ts';
import { DiskReserve } from '#files/disk-reserve.ts';
import type { CallDeps } from '#http/call-deps.ts';
import { ConsoleFiles } from '#http/console-files.ts';
import type { ServicesOf } from '#http/endpoint.ts';
import type { ServiceState } from '#http/server.ts';
import { LoggerCounters } from '#ingest/counters.ts';
import { consoleFolder } from '#kernel/bundle.ts';
import { type Clock, systemClock, withTimeout } from '#kernel/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { rehearse } from '#queries/rehearsal.ts';
import type { nodeOperations, operations } from '#resources/index.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import type { Config } from '#settings/index.ts';
import type { ReadSettings } from '#settings/read-config.ts';
import { shownSettings } from '#settings/shown-settings.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import type { UnusableSecret } from '#vault/vault.ts';
import { accountLimits } from './account-limits.ts';
import { openAuditSearch, verifyTrail } from './audit-trail.ts';
import { listChangedTexts } from './changed-texts.ts';
import { closeInTurn } from './closing.ts';
import { openCollectors } from './collectors.ts';
import { openConnections } from './connections.ts';
import { openDetection } from './detection.ts';
import { openEngine } from './engine.ts';
import { type OpenedForwarding, openForwarding } from './forwarding.ts';
import { type Foundation, openFoundation, orClose } from './foundation.ts';
import { fullDiskOf } from './full-disk.ts';
import { openIngest } from './ingest.ts';
import { install, isKeyOfMaster, MASTER_KEY_IGNORED, signInCodeOfMaster } from './install.ts';
import { type Instruments, openInstruments } from './instruments.ts';
import { languageReference } from './language-reference.ts';
import { bodiesOf, closeServers, createServers, listen, type Servers, urlOf } from './listening.ts';
import { openLogStore } from './log-store.ts';
import { openOtherNodes } from './other-nodes.ts';
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
    const foundation = await openFoundation(config, { clock, address, observer: instruments, ...standby });
    return await orClose(foundation, openOn(config, { ...options, foundation, disk }, instruments));
  } catch (error) {
    throw isOutOfSpace(error) ? fullDiskOf(config, error) : error;
  }
}

type PartOptions = Omit<OpenOptions, 'address' | 'standby'> & {
  readonly foundation: Foundation;
  readonly disk: DiskReserve;
};

async function openOn(
  config: Config,
  { foundation, disk, clock, masterKey, stopping, sources }: PartOptions,
  instruments: Instruments,
) {
  const { store, trail, signingKey, installation, nodes } = foundation;
  for (const warning of foundation.warnings) instruments.log.warn({}, warning);
  if (foundation.narrowed) instruments.narrowed(foundation.narrowed);
  const logStore = await openLogStore(config, { store, installation: installation.guid, log: instruments.log });
  const newKey = await install(installation, { trail, clock, masterKey });
  await logStore?.remember();
  await foundation.lease.share();
  const isMasterKeyIgnored = masterKey !== undefined && !(await isKeyOfMaster(store, masterKey, clock));
  if (isMasterKeyIgnored) instruments.log.warn({}, MASTER_KEY_IGNORED);
  const { vault, unusableSecret } = await openVault(config, { store }, instruments);
  const otherNodes = await openOtherNodes(config, { store, clock, nodes }, instruments);
  const { arrivals, numbers, changesSeen, rulesCaughtUp } = otherNodes;
  const { isExclusive } = foundation.lease;
  const parts = { store, vault, clock, logStore, nodes, arrivals, isExclusive };
  const engine = await openEngine(config, parts, instruments);
  const counters = new LoggerCounters({ store, clock: otherNodes.clock, observer: instruments, numbers });
  const detection = await openDetection(
    config,
    { store, engine, counters, vault, clock, sharedClock: otherNodes.clock, numbers, rulesCaughtUp },
    instruments,
  );
  const { alarms, failures, silentSources, batchRules, streamRules, trials } = detection;
  const storedLookups = await openStoredLookups(config, { store, engine, clock });
  const { index, auditSearch } = openAuditSearch(config, { foundation, clock }, instruments);
  const accounts = new Accounts(store, clock, { changesSeen, numbers });
  const rates = await openRates(config, { store, trail, nodes, clock: otherNodes.clock, numbers });
  const { attempts, refusals, repeats, keyRate } = rates;
  const { intake, readers, lineDecoder, pushLimits, pushes, previews } = await openIngest(
    config,
    { engine, store, clock, watcher: streamRules, disk, nodes },
    instruments,
  );
  const collectors = await openCollectors(
    config,
    { store, engine, intake, readers, counters, clock, failures, nodes },
    instruments,
  );
  const { connectionHosts, sessionPool, databases } = openConnections(config, { store, vault, clock });
  const listed = { trail, nodes, auditSearch, counters, collectors, silentSources, streamRules };
  const records = { store, engine, vault, ...listed, storedLookups };
  const streams = { ...records, clock, lineDecoder, watcher: streamRules };
  const uploads = await openUploadStreams(config, streams, instruments);
  const later = (): { queries: LiveQueries; scheduler: Scheduler; forwarding: OpenedForwarding['forwarding'] } => ({
    ...{ queries, scheduler },
    forwarding: forwarding.forwarding,
  });
  const remotes = store.isShared ? remoteNodes({ nodes, accounts, later }, instruments) : undefined;
  const queries: LiveQueries = await openQueries(
    config,
    { ...records, databases, outboundHosts: connectionHosts.outbound, accounts, clock, later, remoteNodes: remotes },
    instruments,
  );
  const scheduler: Scheduler = await openScheduler(
    config,
    { store, queries, clock: otherNodes.clock, batchRules, failures, nodes, isExclusive },
    instruments,
  );
  instruments.watch({
    auditHead: () => trail.head.id,
    auditIndexLag: () => index.lag(),
    engineUse: () => withTimeout(clock, MAX_ENGINE_USE_WAIT, engine.use(), undefined),
    queries,
    scheduler,
  });
  const verification = verifyTrail(config, { foundation, clock }, instruments);
  const senders = openSenders(
    config,
    { store, trail, engine, clock, intake, readers, lineDecoder, limits: pushLimits },
    instruments,
  );
  const services: ServicesOf<typeof operations> & ServicesOf<typeof nodeOperations> & (typeof senders)['services'] = {
    ...senders.services,
    ...accountLimits(config, { clock, stopping }),
    accounts,
    attempts,
    auditPublicKey: publicKeyText(signingKey),
    auditSearch,
    batchRules,
    clock,
    collectors,
    counters,
    engine,
    languageReference: languageReference(),
    logCounts: instruments,
    logsLease: foundation.lease,
    ...{ nodes, nodeQueries: nodeQueriesOf({ queries, nodes }, instruments) },
    previews,
    pushLimits,
    pushes,
    queries,
    readers,
    scheduler,
    shownSettings: shownSettings(config, sources),
    silentSources,
    stopping,
    store,
    storedLookups,
    streamRules,
    trail,
    trials,
    uploads,
    vault,
    webhookTargets: config['webhook-targets'],
    connectionHosts,
    sessionPool,
    zone: config['time-zone'],
  };
  const forwarding: OpenedForwarding = openForwarding({ store, nodes, signingKey, queries, uploads }, instruments);
  const most = { maxGuids: config['guids-limit'], maxValues: config['body-values'], ...forwarding };
  const callDeps: CallDeps = {
    clock,
    store,
    trail,
    accounts,
    attempts,
    refusals,
    repeats,
    keyRate,
    disk,
    ...most,
    services,
  };
  const keeping = await disk.keep(clock);
  const changedTexts = listChangedTexts({ store, queries, log: instruments.log });
  const inTurn = [
    keeping,
    changedTexts,
    verification,
    otherNodes,
    collectors,
    intake,
    senders.threads,
    scheduler,
    silentSources,
    failures,
    alarms,
    trials,
    previews,
    queries,
    sessionPool,
    rates,
    accounts,
  ];
  otherNodes.follow({ accounts, streamRules, collectors, silentSources, scheduler });
  const last = [forwarding, counters, uploads, lineDecoder, readers, streamRules, engine, index, foundation];
  const close = () => closeInTurn([...inTurn, ...last], (error) => instruments.storeFailed(error));
  const createSignInCode = () => signInCodeOfMaster({ store, trail, clock });
  const rehearsal = { queries, accounts, clock, failed: instruments.rehearsalFailed };
  const practise = (until: AbortSignal) => rehearse(rehearsal, until);
  const said = { isNew: installation.isNew, newKey, unusableSecret, isMasterKeyIgnored, createSignInCode, practise };
  return { said, lost: foundation.lease.lost, callDeps, engine, scheduler, collectors, disk, close };
}

interface Service {
  state: ServiceState;
  opened: Awaited<ReturnType<typeof openParts>> | undefined;
}
