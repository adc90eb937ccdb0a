// Nodes: the processes of the installation, those that serve, stand by and have gone.

import type { AnswerFor } from '#client/call.ts';
import { callWith } from '#console/client/call.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import type { Tone } from '#console/components/tone.ts';
import styles from '#console/pages/administration/administration.module.css';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import { Time } from '#console/time/time.tsx';
import { NAME_WIDTH } from './values.tsx';

type Node = AnswerFor<'GET /api/core/nodes'>['nodes'][number];

const REFRESH_MS = 3000;

const STATES = { alive: 'good', standby: 'neutral', gone: 'high' } as const satisfies Record<Node['state'], Tone>;

export const nodes = defineFamily<Node, Node, Record<never, never>>({
  id: 'nodes',
  readers: 'MEMBER',
  writers: 'MEMBER',
  every: REFRESH_MS,
  list: listed('GET /api/core/nodes', ({ nodes: found }) => found),
  async get(key, options) {
    const { nodes: known } = await callWith(options, 'GET /api/core/nodes', { keywords: key });
    return known.find(({ name }) => name === key) ?? null;
  },
  keyOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  values({ labels }) {
    const { nodes: names } = labels.administration;
    return [
      {
        id: 'name',
        label: labels.common.name,
        width: NAME_WIDTH,
        show: ({ name, is_self }) => (
          <>
            {name} {is_self && <StatusBadge tone="accent">{names.self}</StatusBadge>}
          </>
        ),
        sortValue: ({ name }) => name,
      },
      {
        id: 'state',
        label: names.state,
        width: '8rem',
        show: ({ state }) => <StatusBadge tone={STATES[state]}>{names.states[state]}</StatusBadge>,
        sortValue: ({ state }) => state,
      },
      { id: 'types', label: names.types, width: '10rem', show: ({ types }) => types.join(', ') },
      { id: 'version', label: names.version, width: '7rem', show: ({ version }) => version },
      {
        id: 'keeps-logs',
        label: names.keepsLogs,
        width: '7rem',
        show: ({ keeps_logs }) => (keeps_logs ? labels.common.yes : labels.common.no),
      },
      { id: 'last-seen', label: names.lastSeen, width: '11.5rem', show: ({ last_seen }) => <Time at={last_seen} /> },
      { id: 'started', label: names.started, show: ({ started }) => <Time at={started} /> },
      { id: 'address', label: names.address, show: ({ address }) => address ?? labels.common.none },
      {
        id: 'public-key',
        label: names.publicKey,
        show: ({ public_key }) =>
          public_key ? <code className={styles.query}>{public_key}</code> : labels.common.none,
      },
    ];
  },
});
