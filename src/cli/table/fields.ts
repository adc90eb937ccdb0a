// The fields of a log table: as flags, and as lines of output.

import type { Flags } from '#cli/kit/command.ts';
import { sizeText } from '#cli/kit/output/numbers.ts';
import type { Field } from '#cli/kit/output/records.ts';
import type { Translator } from '#cli/kit/translator.ts';
import type { AnswerFor } from '#client/call.ts';
import { COMPRESSIONS, LAYOUTS } from '#logs/log-store.ts';

type Table = AnswerFor<'GET /api/core/tables'>['tables'][number];
type WholeTable = NonNullable<AnswerFor<'GET /api/core/tables/:table'>['table']>;

export const referenceFlags: Flags = {
  group: { hint: 'GUID', about: { en: 'table group', ko: '테이블 그룹' }, sends: 'group_guid' },
  schema: { hint: 'CODE', about: { en: 'log schema', ko: '로그 스키마' }, sends: 'schema_code' },
};

export const expectationFlags: Flags = {
  'expect-every': {
    hint: 'SECONDS',
    about: {
      en: 'raise an alarm after so many seconds without a record; 0, the default, for none',
      ko: '이 시간(초) 동안 레코드가 없으면 알람, 기본값 0은 사용 안 함',
    },
    sends: 'expect_every',
  },
  'alarm-group': {
    hint: 'GUID',
    about: {
      en: 'alarm group for it; without one that of failure-alarm-group',
      ko: '그 알람 그룹, 없으면 failure-alarm-group',
    },
    sends: 'alarm_group_guid',
  },
};

export const storageFlags: Flags = {
  layout: {
    hint: LAYOUTS.join('|'),
    about: { en: 'how records are laid out; columnar by default', ko: '저장 방식, 기본값은 columnar' },
    sends: 'layout',
  },
  compression: {
    hint: COMPRESSIONS.join('|'),
    about: { en: 'how files are compressed; snappy by default', ko: '압축 방식, 기본값은 snappy' },
    sends: 'compression',
  },
  retention: {
    hint: 'DAYS',
    about: {
      en: 'days that records are kept; 0, the default, keeps them for ever',
      ko: '보존 일수, 기본값 0은 무제한',
    },
    sends: 'retention',
  },
  'crypto-profile': {
    hint: 'GUID',
    about: {
      en: 'crypto profile: without --encrypt, stored data is authenticated',
      ko: '암호화 프로파일, --encrypt가 없으면 무결성만 검사',
    },
    sends: 'crypto_profile_guid',
  },
  encrypt: {
    about: { en: 'encrypt all stored data', ko: '저장하는 모든 데이터를 암호화' },
    sends: 'encryption',
  },
};

export const listedFields = ({ text }: Translator): readonly Field<Table>[] => [
  { title: 'field-table', text: ({ table_name }) => table_name },
  { title: 'field-size', isNumeric: true, text: ({ table_size, index_size }) => sizeText(table_size + index_size) },
  { title: 'field-share', isNumeric: true, text: ({ ratio }) => `${(100 * ratio).toFixed(1)} %` },
  { title: 'field-first-day', text: ({ min_day }) => dayText(min_day) },
  { title: 'field-last-day', text: ({ max_day }) => dayText(max_day) },
  {
    title: 'field-retention',
    text: ({ retention }) => (retention === 0 ? text('unlimited') : text('days', { count: String(retention) })),
  },
  { title: 'field-layout', text: ({ layout }) => layout },
  { title: 'field-compression', text: ({ compression }) => compression },
  { title: 'field-group', text: ({ group_name }) => group_name ?? '-' },
];

export const allFields = (translator: Translator): readonly Field<WholeTable>[] => [
  ...listedFields(translator),
  { title: 'field-crypto-profile', text: ({ crypto_profile_name }) => crypto_profile_name ?? '-' },
  { title: 'field-schema', text: ({ schema_code }) => schema_code ?? '-' },
  {
    title: 'field-expect-every',
    text: ({ expect_every }) =>
      expect_every === 0 ? '-' : translator.text('seconds', { count: String(expect_every) }),
  },
  {
    title: 'field-alarm-group',
    text: ({ alarm_group_guid, alarm_group_name }) => alarm_group_name ?? alarm_group_guid ?? '-',
  },
  { title: 'field-silent-since', isTime: true, text: ({ silent_since }) => silent_since ?? '-' },
  { title: 'field-data-bytes', text: ({ table_size }) => String(table_size) },
  { title: 'field-index-bytes', text: ({ index_size }) => String(index_size) },
  { title: 'field-shared-users', text: ({ shared_users }) => grantText(shared_users, translator) },
  { title: 'field-shared-groups', text: ({ shared_groups }) => grantText(shared_groups, translator) },
  {
    title: 'field-nodes',
    text: ({ node_stats }) =>
      node_stats.map(({ node, table_size }) => `${node} (${sizeText(table_size)})`).join(', ') || '-',
  },
];

/** The service sends the start of a day; the date is enough for people. */
const dayText = (stamp: string | undefined): string => stamp?.slice(0, 10) ?? '-';

const grantText = (grants: WholeTable['shared_users'], { text }: Translator): string =>
  grants.map(({ name, read_only }) => `${name} (${text(read_only ? 'may-read' : 'may-write')})`).join(', ') || '-';
