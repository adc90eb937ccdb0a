// Settings of the running service; they are changed by flag, environment or file.

import type { AnswerFor } from '#client/call.ts';
import { callWith } from '#console/client/call.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import { matching } from '#console/filters/text-filter.ts';
import { defineFamily } from '#console/pages/administration/family.ts';
import { NAME_WIDTH, TEXT_WIDTH } from './values.tsx';

type Setting = AnswerFor<'GET /api/core/settings'>['settings'][number];

export const settings = defineFamily<Setting, Setting, Record<never, never>>({
  id: 'settings',
  readers: 'MASTER',
  writers: 'MASTER',
  async list({ keywords = '', locale, options }) {
    const answer = await callWith(options, 'GET /api/core/settings', { locale });
    const found = matching(answer.settings, keywords, ({ name, about }) => `${name} ${about}`);
    return { total: found.length, records: found };
  },
  keyOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  values({ labels }) {
    const { settings: names } = labels.administration;
    return [
      {
        id: 'name',
        label: labels.common.name,
        width: NAME_WIDTH,
        show: ({ name }) => <code>{name}</code>,
        sortValue: ({ name }) => name,
      },
      { id: 'value', label: names.value, width: NAME_WIDTH, show: ({ value }) => value ?? labels.common.none },
      {
        id: 'source',
        label: names.source,
        width: '8rem',
        show: ({ source }) => (
          <StatusBadge tone={source === 'default' ? 'neutral' : 'accent'}>{names.sources[source]}</StatusBadge>
        ),
        sortValue: ({ source }) => source,
      },
      { id: 'about', label: names.about, width: TEXT_WIDTH, isLong: true, show: ({ about }) => about },
    ];
  },
});
