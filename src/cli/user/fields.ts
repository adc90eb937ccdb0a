// The fields of an account: as flags, and as lines of output.

import { trustHostsFlag, type User } from '#cli/kit/account.ts';
import type { Flags } from '#cli/kit/command.ts';
import type { Field } from '#cli/kit/output/records.ts';
import type { Translator } from '#cli/kit/translator.ts';
import { LOCALES, ROLES } from '#contract/values.ts';

export const nameFlags = {
  name: { hint: 'NAME', about: { en: 'name of the person', ko: '사람 이름' }, sends: 'name' },
  role: { hint: ROLES.join('|'), about: { en: 'role of the account', ko: '계정의 역할' }, sends: 'role' },
} as const satisfies Flags;

export const optionalFlags: Flags = {
  title: { hint: 'TEXT', about: { en: 'position', ko: '직위' }, sends: 'title' },
  dept: { hint: 'TEXT', about: { en: 'department', ko: '부서' }, sends: 'dept' },
  email: { hint: 'ADDRESS', about: { en: 'e-mail address', ko: '전자 우편 주소' }, sends: 'email' },
  phone: { hint: 'NUMBER', about: { en: 'telephone', ko: '전화번호' }, sends: 'phone' },
  mobile: { hint: 'NUMBER', about: { en: 'mobile telephone', ko: '휴대전화번호' }, sends: 'mobile' },
  locale: {
    hint: LOCALES.join('|'),
    about: { en: 'language of texts made for the account', ko: '계정에 보여 줄 글의 언어' },
    sends: 'locale',
  },
  'time-zone': {
    hint: 'ZONE',
    about: {
      en: 'time zone that times are shown in, such as Asia/Seoul; that of the service by default',
      ko: '시각을 보여 줄 시간대, 예: Asia/Seoul. 기본값은 서비스의 시간대',
    },
    sends: 'time_zone',
  },
  company: {
    hint: 'GUID',
    about: { en: 'company; yours by default', ko: '회사, 기본값은 호출자의 회사' },
    sends: 'company_guid',
  },
  ...trustHostsFlag,
};

export const listedFields = ({ text }: Translator): readonly Field<User>[] => [
  { title: 'field-login', text: ({ login }) => login },
  { title: 'field-name', text: ({ name }) => name },
  { title: 'field-role', text: ({ role_name }) => role_name },
  { title: 'field-company', text: ({ company_name }) => company_name },
  { title: 'field-has-key', text: ({ has_api_key }) => text(has_api_key ? 'yes' : 'no') },
  { title: 'field-guid', text: ({ guid }) => guid },
];

export const allFields = (translator: Translator): readonly Field<User>[] => [
  ...listedFields(translator),
  { title: 'field-title', text: ({ title }) => title },
  { title: 'field-dept', text: ({ dept }) => dept },
  { title: 'field-email', text: ({ email }) => email },
  { title: 'field-phone', text: ({ phone }) => phone },
  { title: 'field-mobile', text: ({ mobile }) => mobile },
  { title: 'field-locale', text: ({ locale }) => locale },
  { title: 'field-time-zone', text: ({ time_zone }) => time_zone },
  { title: 'field-company-guid', text: ({ company_guid }) => company_guid },
  { title: 'field-groups', text: ({ user_group_guids }) => user_group_guids.join(', ') || '-' },
  { title: 'field-trust-hosts', text: ({ trust_hosts }) => trust_hosts.join(', ') || translator.text('anywhere') },
  { title: 'field-idle-timeout', text: ({ idle_timeout }) => String(idle_timeout) },
  { title: 'field-created', isTime: true, text: ({ created }) => created },
  { title: 'field-updated', isTime: true, text: ({ updated }) => updated },
];
