// The commands of the shell itself, which begin with a backslash. Help, completion and suggestions are derived from the list.

import type { Client } from '#cli/kit/client.ts';
import type { Invocation } from '#cli/kit/command.ts';
import { checkQuery, findingLines } from '#cli/kit/failures/findings.ts';
import { languageHelpLines, unknownWord } from '#cli/kit/help/language-help.ts';
import { ownCommandLines } from '#cli/kit/help/own-commands.ts';
import { columns, printable } from '#cli/kit/output/text-table.ts';
import { FORMATS } from '#cli/query/options.ts';
import { nearMiss } from '#kernel/text/near-miss.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { knownCommands } from '#query/commands/index.ts';
import { knownAggregates, knownFunctions } from '#query/functions/index.ts';
import type { KnownNames } from './completion/known-names.ts';
import type { History } from './history/history.ts';
import type { ShellSettings } from './settings.ts';

export interface Shell extends Pick<Invocation, 'translator' | 'print' | 'note'> {
  readonly client: Client;
  readonly names: KnownNames;
  readonly settings: ShellSettings;
  /** Empty without a terminal. */
  readonly history: History;
}

interface ShellCommand {
  readonly name: string;
  readonly takes?: string;
  readonly about: { readonly en: string; readonly ko: string };
  /** The completions of its argument. */
  words?(shell: Shell): readonly string[] | Promise<readonly string[]>;
  run(shell: Shell, word: string): unknown;
}

const SHOWN_HISTORY = 20;

export const shellCommands: readonly ShellCommand[] = [
  {
    name: 'help',
    takes: '[WORD]',
    about: {
      en: 'show this help, or that of a command or function of the query language',
      ko: '이 도움말, 또는 쿼리 명령이나 함수의 도움말을 보여 줍니다',
    },
    words: async ({ names }) => [
      ...new Set([...knownCommands(), ...(await names.commands()).map(({ name }) => name)]),
      ...new Set([...knownFunctions(), ...knownAggregates()]),
    ],
    run: help,
  },
  {
    name: 'tables',
    takes: '[TEXT]',
    about: {
      en: 'tables that the key may read, or those with TEXT in the name',
      ko: '읽을 수 있는 테이블, 또는 이름에 TEXT가 있는 것',
    },
    async run({ names, print }, word) {
      names.forget();
      for (const name of await names.tables()) if (name.includes(word)) print(printable(name));
    },
  },
  {
    name: 'fields',
    takes: 'TABLE',
    about: { en: 'fields of a table', ko: '테이블의 필드' },
    words: ({ names }) => names.tables(),
    run: fields,
  },
  {
    name: 'format',
    takes: FORMATS.join('|'),
    about: { en: 'format of rows from now on', ko: '이제부터 쓸 결과 형식' },
    words: () => FORMATS,
    run({ settings }, word) {
      if (!FORMATS.some((format) => format === word)) {
        throw new UsageError('setting-not-one-of', { name: '\\format', values: FORMATS.join(', '), text: word });
      }
      settings.format = word;
    },
  },
  {
    name: 'o',
    takes: '[FILE]',
    about: {
      en: 'the rows of the next query go to FILE; without FILE they are shown',
      ko: '다음 쿼리의 결과를 쓸 파일, 없으면 화면에 표시',
    },
    run({ settings, translator, note }, word) {
      settings.output = word || undefined;
      note(word ? translator.text('shell-next-output', { path: printable(word) }) : translator.text('shell-no-output'));
    },
  },
  {
    name: 'history',
    takes: '[TEXT]',
    about: { en: 'the last statements, or all that contain TEXT', ko: '지난 입력, 또는 TEXT가 있는 입력 모두' },
    run({ history, print }, word) {
      const found = history.entries.filter((entry) => entry.includes(word));
      const shown = word ? found : found.slice(-SHOWN_HISTORY);
      for (const entry of shown) print(entry.split('\n').map(printable).join('\n  '));
    },
  },
  {
    name: 'timing',
    about: { en: 'show or hide the elapsed time of queries', ko: '걸린 시간 표시를 켜거나 끕니다' },
    run({ settings, translator, note }) {
      settings.isTimed = !settings.isTimed;
      note(translator.text(settings.isTimed ? 'shell-timing-on' : 'shell-timing-off'));
    },
  },
  { name: 'quit', about: { en: 'leave', ko: '끝냅니다' }, run: () => undefined },
];

async function help({ translator, print, names }: Shell, word: string): Promise<void> {
  if (word !== '') {
    for (const line of await helpOnWord(word, { translator, names })) print(line);
    return;
  }
  print(translator.text('shell-help'));
  const rows = shellCommands.map(({ name, takes = '', about }) => [`  \\${name} ${takes}`, about[translator.language]]);
  for (const line of columns(rows)) print(line);
}

async function helpOnWord(
  word: string,
  { translator, names }: Pick<Shell, 'translator' | 'names'>,
): Promise<readonly string[]> {
  const lines = languageHelpLines(word, translator);
  if (lines.length > 0) return lines;
  const own = (await names.commands()).find(({ name }) => name === word);
  if (!own) throw unknownWord(word);
  return ownCommandLines(own, translator);
}

async function fields({ client, translator, print, note }: Shell, table: string): Promise<void> {
  const text = `table ${table}`;
  const checked = await checkQuery(client, { text, params: '{}' });
  const { columns: found } = checked;
  for (const line of findingLines(checked, text, translator)) note(line);
  for (const line of columns(found.map(({ name, type }) => [printable(name), type]))) print(line);
}

/** True when the command leaves the shell. Throws a UsageError for an unknown command or a missing argument. */
export async function runShellCommand(text: string, shell: Shell): Promise<boolean> {
  const [, name = '', word = ''] = /^\s*\\(\S*)\s*(.*?)\s*$/s.exec(text) ?? [];
  const command = shellCommands.find((one) => one.name === name);
  if (!command) throw unknown(name);
  const isNeeded = command.takes !== undefined && !command.takes.startsWith('[');
  if (isNeeded && word === '') throw new UsageError('shell-word-missing', { name, word: command.takes ?? '' });
  await command.run(shell, word);
  return command.name === 'quit';
}

function unknown(name: string): UsageError {
  const suggestion = nearMiss(
    name,
    shellCommands.map((one) => one.name),
  );
  return new UsageError(suggestion ? 'shell-unknown-near' : 'shell-unknown', { name, suggestion: suggestion ?? '' });
}
