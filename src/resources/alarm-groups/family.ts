// An alarm group: the users and webhooks that are notified of an event.

import { family } from '#objects/families/family.ts';
import { named } from '#objects/families/fields.ts';
import { membersField, requireTargets } from './members.ts';

export const alarmGroups = family({
  path: 'alarm-groups',
  thing: 'alarm group',
  things: 'alarm groups',
  singular: 'alarm_group',
  plural: 'alarm_groups',
  table: 'alarm_groups',
  hasDryRun: true,
  fields: { ...named, members: membersField },
  meanings: {
    members: 'Users and webhooks that are notified.',
  },
  notes: {
    create:
      'Urls and secrets of webhooks are stored sealed by the master secret of the keys folder; without it: 500 ' +
      '`master secret is missing` or `master secret is wrong`. A secret is never read back, a url in full by ' +
      'ADMIN, as scheme and host by others, `***` where it is none. Urls are http or https without user or ' +
      'password; loopback, unspecified, link-local, multicast and cloud metadata targets, also mapped, translated ' +
      '(NAT64, 6to4, Teredo, ISATAP) or as names below `localhost`, are refused unless the setting ' +
      '`webhook-targets` allows any; the connection checks the resolved address. A url has at most 2,000 ' +
      'characters, a secret 1,000. Members are users that the caller may see, or that are members already.\n\n' +
      'Alarms are sent at once, then 30 s, 2 min, 10 min and 30 min after the begin of the previous attempt; any ' +
      'answer but 2xx is a failure; the event is sent in its current state. A stream rule that fails again after ' +
      'its alarm raises the next one at the earliest after ten minutes without a failure.',
    update:
      'Replaces all members. A webhook without `secret` keeps the one that its url had; without any, ' +
      '`members.secret should be not null`.',
  },
  prepare: async ({ members }, { webhookTargets }) => requireTargets(members, webhookTargets),
});
