// vigil serve: runs the service until a signal stops it.

import { once } from 'node:events';
import type { App } from '#app/app.ts';
import type { StandbyOptions } from '#app/foundation/standby.ts';
import type { ServiceLog } from '#app/service-log.ts';
import type { Command, Invocation, Streams } from '#cli/kit/command.ts';
import { FAILED } from '#cli/kit/failures/failure.ts';
import { configFlag, givenSettings, settingFlags } from '#cli/kit/setting-flags.ts';
import type { Translator } from '#cli/kit/translator.ts';
import { makeOwnerOnly } from '#files/owner-only.ts';
import { SETTING_NAMES } from '#settings/index.ts';
import type { UnusableSecret } from '#vault/vault.ts';
import { printConsole } from './console-link.ts';

/** The log of the requests that create a demo would hide its welcome. */
const DEMO_DEFAULTS = { 'log-level': 'warn' };

export const serve: Command = {
  name: 'serve',
  about: { en: 'run the service', ko: '서비스를 실행합니다' },
  flags: { ...settingFlags(SETTING_NAMES), ...configFlag },
  outlivesOutput: true,

  async run(invocation) {
    const { environment, translator, print, note, streams } = invocation;
    makeOwnerOnly();
    const hangup = hangupOf(streams);
    const given = await givenSettings(invocation);
    const { config, sources } = given.config.demo ? await givenSettings(invocation, DEMO_DEFAULTS) : given;
    // Loaded here only, so that help does not load the whole service.
    const [{ startApp }, { openServiceLog }] = await Promise.all([
      import('#app/app.ts'),
      import('#app/service-log.ts'),
    ]);
    const log = openServiceLog(config['log-level']);
    // A defect in the background must not end the service; it is logged.
    process.on('unhandledRejection', (error) => log.error({ error: String(error) }, 'unhandled rejection'));
    const masterKey = environment.VIGIL_MASTER_KEY;
    const demo = config.demo ? await (await import('./demo.ts')).serveDemo(config, invocation) : undefined;
    const start = (waiting: StandbyOptions) =>
      startApp(config, { log, sources, ...waiting, ...(masterKey ? { masterKey } : {}) });
    const app = config.standby ? await startAsStandby(start, hangup) : await start({});
    if (!app) return 0;
    const leaving = new AbortController();
    const stopRequested = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), hangup, app.lost]).finally(
      () => leaving.abort(),
    );
    // All acknowledged data is durable, and no write can succeed: there is nothing to flush.
    void app.lost.then(() => leaveAtOnce(note, translator, log));
    try {
      const isBegun = await demo?.begin(app, app.newKey ?? masterKey ?? '', leaving.signal);
      if (isBegun !== false) {
        welcome(app, { translator, print });
        if (demo) await demo.show(app);
        else {
          await printConsole(app, invocation);
          suggest(app, { translator, print });
        }
      }
      if (app.isMasterKeyIgnored) note(`vigil: ${translator.text('master-key-ignored')}`);
      if (app.unusableSecret) note(closedText(app.unusableSecret, translator));
      // A module that fails to load now is loaded again on demand.
      void import('./warm-up.ts')
        .then(({ warmUp }) => warmUp(leaving.signal))
        .then(() => app.practise(leaving.signal))
        .catch(() => undefined);
      await stopRequested;
      print(translator.text('serve-stopping'));
    } finally {
      await demo?.end();
      await app.stop();
      log.flush();
    }
    leaveAtLast();
    return 0;
  },
};

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Undefined where a standby was stopped before it had anything to serve. */
async function startAsStandby(
  start: (waiting: StandbyOptions) => Promise<App>,
  hangup: Promise<unknown>,
): Promise<App | undefined> {
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of STOP_SIGNALS) process.once(signal, end);
  void hangup.then(end);
  // From then on a signal ends the start as that of any other node.
  const standbyOver = () => {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, end);
  };
  try {
    return await start({ standbyStopping: stop.signal, standbyOver });
  } catch (error) {
    if (stop.signal.aborted && error instanceof Error && error.name === 'StandbyEnded') return undefined;
    throw error;
  }
}

/**
 * Resolves when the terminal is closed; never without a terminal, so that a service outlives the shell that started it.
 */
function hangupOf({ stdin, stdout, stderr }: Streams): Promise<unknown> {
  const isAtTerminal = stdin?.isTTY === true || stdout.isTTY === true;
  if (!isAtTerminal) {
    process.on('SIGHUP', () => undefined);
    return Promise.withResolvers().promise;
  }
  // A closed terminal refuses every further line.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  return once(process, 'SIGHUP');
}

function leaveAtOnce(note: Invocation['note'], translator: Translator, log: ServiceLog): void {
  note(`vigil: ${translator.text('logs-lost')}`);
  log.error({}, 'another process has taken the lease of the logs');
  log.flush();
  process.exit(FAILED);
}

const LEAVING_MS = 5000;

/**
 * All data is flushed by now. A statement that DuckDB is preparing cannot be cancelled, and would keep the process from
 * exiting.
 */
function leaveAtLast(): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LEAVING_MS).unref();
}

type Output = Pick<Invocation, 'translator' | 'print'>;

function welcome({ url, newKey }: App, { translator, print }: Output): void {
  print(translator.text('serve-ready', { url }));
  if (newKey !== undefined) print(`\n${translator.text('serve-key')}\n\n  ${newKey}\n`);
}

function suggest({ url, isNew, newKey }: App, { translator, print }: Output): void {
  // A given key is not printed: the shell that set the variable can fill it in.
  const key = newKey ?? (isNew ? '$VIGIL_MASTER_KEY' : undefined);
  print(`${translator.text('serve-try')}\n\n  ${key ? tryWithKey(url, key) : `curl ${url}/readyz`}\n`);
}

const tryWithKey = (url: string, key: string) =>
  `curl -H "Authorization: Bearer ${key}" "${url}/api/core/audit-logs?limit=5"`;

function closedText({ secret, file, profiles }: UnusableSecret, { text }: Translator): string {
  const values = { file, profiles: profiles.join(', ') };
  return `vigil: ${text(secret === 'missing' ? 'serve-secret-missing' : 'serve-secret-wrong', values)}`;
}
