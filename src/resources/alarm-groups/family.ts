// An alarm group: the users and webhooks that are notified of an event.

import { family } from '#objects/family.ts';
import { named } from '#objects/fields.ts';
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
  notes: {
    create:
      'Urls and secrets of webhooks are kept sealed by the master secret of the keys folder. A secret is never read back, a ' +
      'url in full by ADMIN, as scheme and host by others. Urls are http or https without user or password; loopback, ' +
      'link-local, multicast and cloud metadata targets, also mapped or translated, are refused unless the setting ' +
      '`webhook-targets` allows any.',
    update: 'Replaces all members. A webhook without `secret` keeps the one that its url had.',
  },
  prepare: async ({ members }, { webhookTargets }) => requireTargets(members, webhookTargets),
});
