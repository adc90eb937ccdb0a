// vigil serve: runs the service until it is told to stop.

import { once } from 'node:events';
import { startApp } from '#app.ts';
import { readConfig, SETTING_NAMES, settings } from '#config.ts';
import { openServiceLog } from '#service-log.ts';
import type { Command, Flag, Invocation } from './command.ts';

const settingFlags: Record<string, Flag> = Object.fromEntries(SETTING_NAMES.map((name) => [name, settings[name]]));

export const serve: Command = {
  name: 'serve',
  takes: '[FLAGS]',
  about: { en: 'run the service', ko: '서비스를 실행합니다' },
  flags: {
    ...settingFlags,
    config: {
      hint: 'FILE',
      about: { en: 'settings file in place of vigil.toml', ko: 'vigil.toml 대신 읽을 설정 파일' },
    },
  },

  async run({ flags, environment, speech, print }) {
    const { config: file, ...given } = flags;
    const config = await readConfig({ flags: given, environment, ...(file === undefined ? {} : { file }) });
    const log = openServiceLog(config['log-level']);
    // A defect in the background must not take the service down; it is written where defects are looked for.
    process.on('unhandledRejection', (error) => log.error({ error: String(error) }, 'unhandled rejection'));
    const masterKey = environment.VIGIL_MASTER_KEY;
    const app = await startApp(config, { log, ...(masterKey ? { masterKey } : {}) });
    welcome(app, { speech, print });
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
    print(speech.say('serve-stopping'));
    await app.stop();
    log.flush();
    return 0;
  },
};

type Started = Awaited<ReturnType<typeof startApp>>;

function welcome({ url, isNew, newKey }: Started, { speech, print }: Pick<Invocation, 'speech' | 'print'>): void {
  print(speech.say('serve-ready', { url }));
  if (newKey !== undefined) print(`\n${speech.say('serve-key')}\n\n  ${newKey}\n`);
  // A key that was given is not repeated: the shell that gave it can fill it in.
  const key = newKey ?? (isNew ? '$VIGIL_MASTER_KEY' : undefined);
  print(`${speech.say('serve-try')}\n\n  ${key ? tryWithKey(url, key) : `curl ${url}/readyz`}\n`);
}

const tryWithKey = (url: string, key: string) =>
  `curl -H "Authorization: Bearer ${key}" "${url}/api/core/audit-logs?limit=5"`;
