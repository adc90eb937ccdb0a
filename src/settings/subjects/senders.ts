// The settings of the protocols of existing senders.

import { UsageError } from '#kernel/usage-error.ts';
import { SENDER_NAMES, type SenderName } from '#senders/names.ts';
import { isTableName, type TableMapping } from '#senders/tables/table-names.ts';
import { items, number, plain, setting, yesNo } from '#settings/setting.ts';

const protocols = (text: string, name: string): readonly SenderName[] =>
  items(text).map((item) => {
    const protocol = SENDER_NAMES.find((known) => known === item);
    if (!protocol) throw new UsageError('setting-not-one-of', { name, text: item, values: SENDER_NAMES.join(', ') });
    return protocol;
  });

/** `pattern=table`: the table is behind the last equals sign, because a pattern may contain one. */
const mappings = (text: string, name: string): readonly TableMapping[] =>
  items(text).map((item) => {
    const equals = item.lastIndexOf('=');
    const pattern = item.slice(0, equals).trim();
    const table = item.slice(equals + 1).trim();
    if (equals < 1 || !isTableName(table)) throw new UsageError('setting-not-a-mapping', { name, text: item });
    return { pattern, table };
  });

function tableName(text: string, name: string): string {
  if (text !== '' && !isTableName(text)) throw new UsageError('setting-not-a-table', { name, text });
  return text;
}

function version(text: string, name: string): string {
  if (!/^\d+\.\d+\.\d+$/.test(text)) throw new UsageError('setting-not-a-version', { name, text });
  return text;
}

export const senderSettings = {
  senders: setting({
    hint: 'PROTOCOLS',
    about: {
      en: `protocols of existing senders that are on, comma-separated: ${SENDER_NAMES.join(', ')}; with demo all of them`,
      ko: `켜 둘 기존 송신기 프로토콜(쉼표로 구분): ${SENDER_NAMES.join(', ')}, demo에서는 모두`,
    },
    initial: 'otlp',
    initialInDemo: SENDER_NAMES.join(','),
    read: protocols,
  }),
  'senders-port': setting({
    hint: 'PORT',
    about: {
      en: 'port for the protocols of senders alone; by default they are on the main port',
      ko: '송신기 프로토콜 전용 포트, 기본값은 주 포트를 함께 씀',
    },
    initial: undefined,
    read: number(0, 65535),
  }),
  'senders-host': setting({
    hint: 'ADDRESS',
    about: {
      en: 'address to listen on for senders-port; by default that of host',
      ko: 'senders-port의 수신 주소, 기본값은 host와 같음',
    },
    initial: undefined,
    read: plain,
  }),
  'senders-table': setting({
    hint: 'TABLE',
    about: {
      en: 'table for records of senders that name no existing table; none by default, with demo inbox',
      ko: '존재하는 테이블을 지정하지 않은 송신기 레코드의 테이블, 기본값은 없음, demo에서는 inbox',
    },
    initial: '',
    initialInDemo: 'inbox',
    read: tableName,
  }),
  'senders-create': setting({
    hint: 'true|false',
    about: {
      en: 'true: a table that a sender names is created with the defaults, for accounts of role ADMIN or higher',
      ko: 'true: 송신기가 지정한 테이블이 없으면 기본값으로 생성함(ADMIN 이상의 계정)',
    },
    initial: 'false',
    read: yesNo,
  }),
  'senders-map': setting({
    hint: 'PATTERNS',
    about: {
      en: 'tables for names that senders give, comma-separated pattern=table, the first that fits; * stands for any text',
      ko: '송신기가 지정한 이름을 테이블로 바꾸는 pattern=table 목록(쉼표로 구분, 먼저 맞는 것), *는 임의의 문자열',
    },
    initial: '',
    read: mappings,
  }),
  'senders-window': setting({
    hint: 'SECONDS',
    about: {
      en: 'time that the _id of a created document is known, so that a repeat is not stored again',
      ko: '생성된 문서의 _id를 기억하는 시간, 그동안 반복된 문서는 다시 저장하지 않음',
    },
    initial: '600',
    read: number(0, 86_400),
  }),
  'senders-ids': setting({
    hint: 'COUNT',
    about: {
      en: 'known _ids of one table; the oldest are forgotten first',
      ko: '테이블마다 기억하는 _id의 최대 수, 오래된 것부터 잊음',
    },
    initial: '1000000',
    read: number(0, 100_000_000),
  }),
  'senders-elasticsearch-version': setting({
    hint: 'VERSION',
    about: {
      en: 'version of Elasticsearch that its clients are told',
      ko: 'Elasticsearch 클라이언트에 알리는 버전',
    },
    initial: '8.19.0',
    read: version,
  }),
} as const;
