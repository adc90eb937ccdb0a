// Alarm groups: users and webhooks that rules notify.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { failureText } from '#console/client/failure-text.ts';
import { present } from '#console/client/present.ts';
import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import { Callout } from '#console/components/callout.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from '#console/pages/administration/administration.module.css';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import { Time } from '#console/time/time.tsx';
import { isAtLeast } from '#contract/values.ts';
import { countValue, descriptionValue, namedFields, nameValue, timeValues } from './values.tsx';

type Group = AnswerFor<'GET /api/core/alarm-groups'>['alarm_groups'][number];
type Member = Group['members'][number];
type TestAnswer = AnswerFor<'POST /api/core/alarm-groups/:guid/test'>;
type Result = TestAnswer['results'][number];

interface MemberDraft {
  readonly type: Member['type'];
  readonly guid: string;
  readonly url: string;
  readonly secret: string;
}

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly members: readonly MemberDraft[];
}

const NEW_MEMBER: MemberDraft = { type: 'WEBHOOK', guid: '', url: '', secret: '' };

const memberDraft = (member: Member): MemberDraft =>
  member.type === 'USER' ? { ...NEW_MEMBER, type: 'USER', guid: member.guid } : { ...NEW_MEMBER, url: member.url };

const bodyOf = ({ name, description, members }: Draft) => ({
  name,
  ...present({ description }),
  members: members.map(({ type, guid, url, secret }) =>
    type === 'USER' ? { type, guid } : { type, url, ...present({ secret }) },
  ),
});

export const alarmGroups = defineFamily<Group, Group, Draft>({
  id: 'alarm-groups',
  readers: 'MEMBER',
  writers: 'ADMIN',
  needs: ['users'],
  list: listed('GET /api/core/alarm-groups', (answer) => answer.alarm_groups),
  get: async (guid) => (await call('GET /api/core/alarm-groups/:guid', { guid })).alarm_group,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values: (context) => [
    nameValue(context),
    countValue('members', context.labels.administration.members, ({ members }) => members.length),
    descriptionValue(context),
    ...timeValues<Group>(context),
  ],
  fields(context) {
    const { alarms, members } = context.labels.administration;
    const kinds = (['WEBHOOK', 'USER'] as const).map((value) => ({ value, label: alarms.kinds[value] }));
    return [
      ...namedFields<Draft>(context),
      {
        kind: 'rows',
        name: 'members',
        label: members,
        hint: alarms.secretHint,
        addLabel: alarms.addMember,
        empty: NEW_MEMBER,
        fields: [
          { kind: 'choice', name: 'type', label: alarms.kind, options: kinds },
          {
            kind: 'choice',
            name: 'guid',
            label: alarms.user,
            options: context.options.users,
            isShown: ({ type }) => type === 'USER',
          },
          {
            kind: 'text',
            name: 'url',
            label: alarms.url,
            maxLength: 2000,
            placeholder: 'https://',
            isShown: ({ type }) => type === 'WEBHOOK',
          },
          {
            kind: 'secret',
            name: 'secret',
            label: alarms.secret,
            maxLength: 1000,
            isShown: ({ type }) => type === 'WEBHOOK',
          },
        ],
      },
    ];
  },
  draftOf: (group) => ({
    name: group?.name ?? '',
    description: group?.description ?? '',
    members: group?.members.map(memberDraft) ?? [],
  }),
  create: async (draft) => ({ key: (await call('POST /api/core/alarm-groups', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/alarm-groups/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids, { isDryRun }) => call('DELETE /api/core/alarm-groups', { guids, dry_run: isDryRun }),
  hasDryRun: true,
  Actions: TestButton,
  Below: ({ record }) => <Members members={record.members} />,
});

function Members({ members }: { readonly members: readonly Member[] }) {
  const { administration } = useLabels();
  const { alarms } = administration;
  if (members.length === 0) return <p className={styles.note}>{alarms.noMembers}</p>;
  const isReachable = members.some(({ type }) => type === 'WEBHOOK');
  return (
    <section className={styles.children} aria-label={administration.members}>
      <h3>{administration.members}</h3>
      {!isReachable && <Callout>{alarms.noWebhook}</Callout>}
      <ul>
        {members.map((member) => (
          <li key={keyOf(member)}>
            {alarms.kinds[member.type]}: {nameOf(member, alarms.removedUser)}
          </li>
        ))}
      </ul>
    </section>
  );
}

const keyOf = (member: Member): string => (member.type === 'USER' ? member.guid : member.url);
const nameOf = (member: Member, removed: string): string =>
  member.type === 'USER' ? (member.name ?? removed) : member.url;

type Outcome = { readonly answer: TestAnswer } | { readonly failure: string };

/** One test alarm to each member. */
function TestButton({ record }: { readonly record: Group }) {
  const labels = useLabels();
  const { role_name } = useAccount();
  const client = useQueryClient();
  const [isTesting, setTesting] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  if (!isAtLeast(role_name, 'ADMIN')) return undefined;
  async function test() {
    setTesting(true);
    try {
      setOutcome({ answer: await call('POST /api/core/alarm-groups/:guid/test', { guid: record.guid }) });
    } catch (error) {
      setOutcome({ failure: failureText(error, labels).text });
    }
    setTesting(false);
    void client.invalidateQueries();
  }
  return (
    <>
      <Button size="small" icon="bell" disabled={isTesting} onClick={() => void test()}>
        {labels.administration.alarms.test}
      </Button>
      {outcome && (
        <div className={styles.result} role="status">
          {'failure' in outcome ? outcome.failure : <TestOutcome answer={outcome.answer} />}
        </div>
      )}
    </>
  );
}

function TestOutcome({ answer: { results, warning } }: { readonly answer: TestAnswer }) {
  const { alarms } = useLabels().administration;
  return (
    <>
      {warning !== null && <strong>{alarms.warnings[warning]}</strong>}
      <ul>
        {results.map((result, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Two webhooks may have one host; results keep their places.
          <li key={index}>
            <ResultLine result={result} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ResultLine({ result: { type, member, name, error, last_seen } }: { readonly result: Result }) {
  const { alarms } = useLabels().administration;
  const shown = type === 'USER' ? (name ?? alarms.removedUser) : member;
  if (error === null) return alarms.delivered(shown);
  return (
    <>
      {alarms.failed(shown, alarms.errors[error])}
      {last_seen !== null && (
        <>
          {' '}
          · {alarms.lastSeen} <Time at={last_seen} isRelative />
        </>
      )}
    </>
  );
}
