// vigil rule restore

import { type Client, clientFlags, connect } from '#cli/kit/client.ts';
import type { Command, Invocation } from '#cli/kit/command.ts';
import { FAILED } from '#cli/kit/failures/failure.ts';
import { type Field, jsonFlag, printJson, printList } from '#cli/kit/output/records.ts';
import type { AnswerFor } from '#client/call.ts';
import { printChanges } from './changes.ts';
import { findRule, kindFlag, kindsIn, type Rule, versionParams } from './rule.ts';

type Answer = AnswerFor<'POST /api/core/batch-rules/:guid/versions/:version/restore'>;
type Failure = Answer['failures'][number];

export const ruleRestore: Command = {
  name: 'rule restore',
  takes: 'NAME-or-GUID VERSION',
  about: {
    en: 'put an old version of a rule in force again, as a new version',
    ko: '룰의 옛 버전을 새 버전으로 다시 적용합니다',
  },
  flags: {
    'dry-run': { about: { en: 'only show what would change', ko: '바뀔 내용만 보여 줍니다' } },
    comment: { hint: 'TEXT', about: { en: 'comment of the new version', ko: '새 버전에 남길 말' }, sends: 'comment' },
    ...kindFlag,
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation) {
    const { flags, words } = invocation;
    const [named = '', version = ''] = words;
    const client = connect(invocation);
    const rule = await findRule(client, named, kindsIn(invocation));
    const answer = await client.call(`POST /api/core/${rule.kind}-rules/:guid/versions/:version/restore`, {
      guid: rule.guid,
      ...versionParams({ version }),
      dry_run: flags['dry-run'] !== undefined,
      ...(flags.comment === undefined ? {} : { comment: flags.comment }),
    });
    if (flags.json) printJson(invocation, answer);
    else await report(invocation, { client, rule, version, answer });
    return answer.result ? 0 : FAILED;
  },
};

interface Outcome {
  readonly client: Client;
  readonly rule: Rule;
  readonly version: string;
  readonly answer: Answer;
}

async function report(invocation: Invocation, { client, rule, version, answer }: Outcome): Promise<void> {
  const { translator, note } = invocation;
  if (!answer.result) {
    note(translator.text('rule-not-restored', { name: rule.name, version }));
    await printList({ invocation, client }, answer.failures, failureFields);
  } else if (answer.changes) {
    printChanges(invocation, answer.changes);
    note(translator.text(answer.changes.length === 0 ? 'rule-would-not-change' : 'rule-would-change', { version }));
  } else {
    const { name, version: now } = await findRule(client, rule.guid, [rule.kind]);
    note(translator.text('rule-restored', { name, version, now: String(now) }));
  }
}

const failureFields: readonly Field<Failure>[] = [
  { title: 'field-what', text: (failure) => ('id' in failure ? failure.id : failure.field) },
  { title: 'field-value', text: (failure) => ('id' in failure ? failure.name : failure.value) },
  { title: 'field-reason', text: ({ reason }) => reason, isBad: () => true },
];
