// The writable fields of a user group.

import { guid, guids, required, text } from '#http/params.ts';

export const fields = {
  name: required(text(200)),
  description: text(2000),
  user_guids: guids,
  company_guid: guid,
};
