// vigil rule history

import { clientFlags, connect, queryOf } from './client.ts';
import type { Command } from './command.ts';
import { type Field, jsonFlag, pagesOf, printList } from './records.ts';
import { findVersioned, kindFlag, kindsIn, pathOf, type RuleVersion, type RuleVersions } from './rule.ts';
import type { Speech } from './speech.ts';

const pages = pagesOf(100);

export const ruleHistory: Command = {
  name: 'rule history',
  takes: 'NAME-or-GUID',
  about: {
    en: 'list the versions of a rule, newest first; by GUID also those of one that is removed',
    ko: '룰의 버전을 최신순으로 나열합니다. GUID를 주면 지운 룰의 버전도 볼 수 있습니다',
  },
  flags: { ...kindFlag, ...pages, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, speech, note } = invocation;
    const client = connect(invocation);
    const { kind, guid } = await findVersioned(client, words[0] ?? '', kindsIn(invocation));
    const query = { limit: '100', ...queryOf(pages, flags) };
    const { versions, total_count } = await client.get<RuleVersions>(`${pathOf(kind, guid)}/versions`, query);
    printList(invocation, versions, fields(speech));
    const isPart = versions.length > 0 && versions.length < total_count;
    if (isPart) note(speech.say('rule-history-part', { shown: String(versions.length), total: String(total_count) }));
    return 0;
  },
};

const fields = (speech: Speech): readonly Field<RuleVersion>[] => [
  { title: 'field-version', isNumeric: true, text: ({ version }) => String(version) },
  { title: 'field-change', text: (version) => changeText(version, speech) },
  { title: 'field-name', text: ({ name }) => name },
  { title: 'field-author', text: ({ user_name }) => user_name },
  { title: 'field-time', text: ({ created }) => created },
  { title: 'field-comment', text: ({ comment }) => comment ?? '-' },
];

const changeText = ({ change, restored_from }: RuleVersion, { say }: Speech): string =>
  restored_from === null ? change : say('rule-restored-from', { version: String(restored_from) });
