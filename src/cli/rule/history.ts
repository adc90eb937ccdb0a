// vigil rule history

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { type Field, jsonFlag, pagesOf, printList } from '#cli/kit/output/records.ts';
import type { Translator } from '#cli/kit/translator.ts';
import { findVersioned, kindFlag, kindsIn, type RuleVersion } from './rule.ts';

const pages = pagesOf(100);

export const ruleHistory: Command = {
  name: 'rule history',
  takes: 'NAME-or-GUID',
  about: {
    en: 'list the versions of a rule, newest first; by GUID also those of a removed rule',
    ko: '룰의 버전을 최신순으로 나열합니다. GUID를 주면 지운 룰의 버전도 볼 수 있습니다',
  },
  flags: { ...kindFlag, ...pages, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const client = connect(invocation);
    const { kind, guid } = await findVersioned(client, words[0] ?? '', kindsIn(invocation));
    const { versions, total_count } = await client.call(`GET /api/core/${kind}-rules/:guid/versions`, {
      limit: 100,
      ...paramsOf<'GET /api/core/batch-rules/:guid/versions'>(pages, flags),
      guid,
    });
    await printList({ invocation, client }, versions, fields(translator));
    const isPart = versions.length > 0 && versions.length < total_count;
    if (isPart)
      note(translator.text('rule-history-part', { shown: String(versions.length), total: String(total_count) }));
    return 0;
  },
};

const fields = (translator: Translator): readonly Field<RuleVersion>[] => [
  { title: 'field-version', isNumeric: true, text: ({ version }) => String(version) },
  { title: 'field-change', text: (version) => changeText(version, translator) },
  { title: 'field-name', text: ({ name }) => name },
  { title: 'field-author', text: ({ user_name }) => user_name },
  { title: 'field-time', isTime: true, text: ({ created }) => created },
  { title: 'field-comment', text: ({ comment }) => comment ?? '-' },
];

const changeText = ({ change, restored_from }: RuleVersion, { text }: Translator): string =>
  restored_from === null ? change : text('rule-restored-from', { version: String(restored_from) });
