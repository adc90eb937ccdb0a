// Queries: those that run, and those that ended lately. Any of them can be cancelled by its account or an administrator.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerFor } from '#client/call.ts';
import { call, callWith } from '#console/client/call.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import { Button } from '#console/components/button.tsx';
import { ConfirmDialog } from '#console/components/overlays/confirm.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import type { Tone } from '#console/components/tone.ts';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import styles from '#console/pages/administration/administration.module.css';
import { defineFamily } from '#console/pages/administration/family.ts';
import { SearchLink } from '#console/pages/search-link.tsx';
import { numberText } from '#console/time/numbers.ts';
import { LAST_DAY } from '#console/time/ranges.ts';
import { Time } from '#console/time/time.tsx';

type Query = AnswerFor<'GET /api/core/queries'>['queries'][number];

const REFRESH_MS = 3000;

const STATES = { running: 'accent', ended: 'good', cancelled: 'neutral', failed: 'high' } as const satisfies Readonly<
  Record<string, Tone>
>;

function stateOf({ is_finished, is_cancelled, error_code }: Query): keyof typeof STATES {
  if (is_cancelled) return 'cancelled';
  if (error_code !== undefined) return 'failed';
  return is_finished ? 'ended' : 'running';
}

export const queries = defineFamily<Query, Query, Record<never, never>>({
  id: 'queries',
  readers: 'MEMBER',
  writers: 'MEMBER',
  every: REFRESH_MS,
  async list({ scope, options, ...page }) {
    const params = scope === 'running' ? { ...page, is_finished: false } : page;
    const { total_count, queries: found } = await callWith(options, 'GET /api/core/queries', params);
    return { total: total_count, records: found };
  },
  // One that has ended leaves the list of those that run, not the panel.
  async get(key, options) {
    const { queries: known } = await callWith(options, 'GET /api/core/queries', {});
    return known.find(({ id }) => String(id) === key) ?? null;
  },
  scopes: ({ labels }) => {
    const { queries: names } = labels.administration;
    return {
      label: names.scope,
      initial: 'running',
      options: (['running', 'all'] as const).map((value) => ({ value, label: names.scopes[value] })),
    };
  },
  keyOf: ({ id }) => String(id),
  nameOf: ({ id }) => `#${id}`,
  values({ labels, locale }) {
    const { queries: names } = labels.administration;
    return [
      { id: 'id', label: '#', width: '5rem', align: 'end', show: ({ id }) => String(id), sortValue: ({ id }) => id },
      {
        id: 'state',
        label: names.state,
        width: '7.5rem',
        show: (query) => <StatusBadge tone={STATES[stateOf(query)]}>{names.states[stateOf(query)]}</StatusBadge>,
      },
      { id: 'login', label: names.login, width: '8rem', show: ({ login_name }) => login_name },
      {
        id: 'query',
        label: names.text,
        width: 'minmax(16rem, 1fr)',
        isLong: true,
        show: ({ query_string }) => <code className={styles.query}>{query_string}</code>,
      },
      {
        id: 'rows',
        label: names.rows,
        width: '6rem',
        align: 'end',
        show: ({ rows }) => numberText(rows, locale),
        sortValue: ({ rows }) => rows,
      },
      {
        id: 'elapsed',
        label: names.elapsed,
        width: '6.5rem',
        align: 'end',
        show: ({ elapsed }) => names.seconds((elapsed / 1000).toFixed(1)),
        sortValue: ({ elapsed }) => elapsed,
      },
      { id: 'started', label: names.started, width: '11.5rem', show: ({ last_started }) => <Time at={last_started} /> },
      { id: 'node', label: names.node, show: ({ node }) => node },
      { id: 'source', label: names.source, show: ({ source }) => source },
      { id: 'address', label: names.address, show: ({ remote_ip }) => remote_ip },
      { id: 'error', label: names.error, show: ({ error_detail }) => error_detail },
    ];
  },
  empty: ({ administration: { queries: names } }) => ({ title: names.none, text: names.noneText }),
  Actions: CancelButton,
  Below: Commands,
});

function CancelButton({ record }: { readonly record: Query }) {
  const { administration } = useLabels();
  const { queries: names } = administration;
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  async function cancel() {
    await call('POST /api/core/queries/:id/cancel', { id: record.id });
    await client.invalidateQueries();
    showToast(names.cancelled(record.id));
    setAsked(false);
  }
  return (
    <>
      <SearchLink query={record.query_string} range={LAST_DAY}>
        {names.search}
      </SearchLink>
      {!record.is_finished && (
        <Button size="small" icon="stop" onClick={() => setAsked(true)}>
          {names.cancel}
        </Button>
      )}
      {isAsked && (
        <ConfirmDialog
          title={names.cancelTitle(record.id)}
          text={names.cancelText}
          confirmLabel={names.cancel}
          onConfirm={cancel}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

function Commands({ record: { commands } }: { readonly record: Query }) {
  const { administration } = useLabels();
  const { locale } = useLanguage();
  const { queries: names } = administration;
  return (
    <section className={styles.children} aria-label={names.commands}>
      <h3>{names.commands}</h3>
      <ol className={styles.commands}>
        {commands.map(({ command, push_count }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: A command is known by its place.
          <li key={index}>
            <code className={styles.query}>{command}</code>
            <span>{numberText(push_count, locale)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
