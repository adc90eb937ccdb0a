// The writable fields of a user. Some are required at creation; an update keeps missing values.

import { wrongLogin, wrongTimeZone } from '#contract/errors.ts';
import { ROLES } from '#contract/values.ts';
import { meaningsOf } from '#operations/answers/shapes.ts';
import { describedBy } from '#operations/described.ts';
import { locale } from '#operations/params/choice-params.ts';
import {
  addresses,
  guid,
  guids,
  int,
  meaning,
  oneOf,
  orElse,
  required,
  text,
  textLike,
} from '#operations/params/params.ts';
import { zoneNamed } from '#query/model/zones.ts';
import { userRecord } from './model.ts';

const login = textLike(50, /^[A-Za-z0-9_.\-@]+$/, wrongLogin);
const name = text(255);
const role = { ...oneOf(ROLES), schema: { type: 'string', enum: ROLES, examples: ['MEMBER'] } };

/** Kept as it is written. */
const timeZone = meaning(text(50), { examples: ['Asia/Seoul'] }, (zone) => {
  if (!zoneNamed(zone)) throw wrongTimeZone(zone);
  return zone;
});

const idleTimeout = int(60n, 86_400n);

const texts = {
  title: text(255),
  dept: text(255),
  phone: text(255),
  mobile: text(255),
  email: text(255),
};

const memberships = {
  company_guid: guid,
  user_group_guids: guids,
  trust_hosts: addresses,
};

const meanings = { ...meaningsOf(userRecord), role: 'Role of the user.' };

export const newFields = describedBy(
  {
    login: required(login),
    name: required(name),
    role: required(role),
    ...texts,
    locale: orElse(locale, 'en'),
    time_zone: timeZone,
    ...memberships,
    idle_timeout: orElse(idleTimeout, 3600),
  },
  meanings,
);

export const changedFields = describedBy(
  { login, name, role, ...texts, locale, time_zone: timeZone, ...memberships, idle_timeout: idleTimeout },
  meanings,
);
