// Loggers of the demo: three that logs are pushed to, and one that listens for syslog.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Client } from '#demo/connection.ts';
import { LOGGER_GROUPS, LOGGERS, MODELS } from './guids.ts';

/** Parses the syslog messages of sshd about logins. */
const LOGINS = {
  parser_code: 'syslog',
  parser_configs: {
    pattern:
      '(?<outcome>Accepted|Failed) (?<method>\\w+) for (?<user>\\S+) from (?<src_ip>\\S+) port (?<src_port>\\d+)',
  },
  rules: [
    {
      name: 'login',
      log_schema_code: 'login',
      parser_code: 'regex',
      stream_query: 'eval result = if(outcome == "Accepted", "success", "failure") | fields - outcome',
    },
  ],
};

/** A model without rules assigns the schema of the table. */
const LOGGER_MODELS = [
  { guid: MODELS.web, name: 'shop-access-log', description: '한빛몰 웹 서버의 접속 로그', parser_code: 'json' },
  { guid: MODELS.firewall, name: 'edge-firewall', description: '인터넷 구간 방화벽', parser_code: 'json' },
  { guid: MODELS.auth, name: 'linux-logins', description: 'Logins on Linux servers, in text files', ...LOGINS },
  {
    guid: MODELS.syslog,
    name: 'linux-logins-syslog',
    description: '리눅스 서버가 syslog로 보내는 로그인',
    logger_factory_name: 'syslog-udp',
    ...LOGINS,
  },
];

const LOGGER_LIST = [
  { guid: LOGGERS.web, model_guid: MODELS.web, name: 'shop-web', table_name: 'web' },
  { guid: LOGGERS.firewall, model_guid: MODELS.firewall, name: 'edge-fw-1', table_name: 'firewall' },
  { guid: LOGGERS.auth, model_guid: MODELS.auth, name: 'bastion-auth', table_name: 'auth' },
  {
    guid: LOGGERS.retired,
    model_guid: MODELS.web,
    name: 'old-shop-web',
    description: '교체된 웹 서버',
    table_name: 'web',
    enabled: false,
  },
];

const LOOPBACK = '127.0.0.1';

export async function makeLoggers(kim: Client): Promise<void> {
  for (const model of LOGGER_MODELS) await kim.post('/logger-models', { logger_factory_name: 'http', ...model });
  await kim.post('/logger-groups', { guid: LOGGER_GROUPS.seoul, name: '서울 IDC', description: 'Seoul data centre' });
  const syslog = {
    guid: LOGGERS.syslog,
    model_guid: MODELS.syslog,
    name: 'bastion-syslog',
    table_name: 'auth',
    configs: { port: await freePort(), bind: LOOPBACK },
  };
  for (const logger of [...LOGGER_LIST, syslog]) {
    await kim.post('/loggers', { enabled: true, group_guid: LOGGER_GROUPS.seoul, ...logger });
  }
}

/** A UDP port that is not in use. */
async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, LOOPBACK);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}
