// The writable fields of a user. Creating requires some of them; updating keeps whatever is not given.

import { wrongLogin } from '#contract/errors.ts';
import { LOCALES, ROLES } from '#contract/values.ts';
import { addresses, guid, guids, int, oneOf, required, text, textLike } from '#http/params.ts';

const login = textLike(50, /^[A-Za-z0-9_.\-@]+$/, wrongLogin);
const name = text(255);
const role = oneOf(ROLES);

const optionalFields = {
  title: text(255),
  dept: text(255),
  phone: text(255),
  mobile: text(255),
  email: text(255),
  locale: oneOf(LOCALES),
  company_guid: guid,
  user_group_guids: guids,
  trust_hosts: addresses,
  idle_timeout: int(60n, 86_400n),
};

export const newFields = { login: required(login), name: required(name), role: required(role), ...optionalFields };

export const changedFields = { login, name, role, ...optionalFields };
