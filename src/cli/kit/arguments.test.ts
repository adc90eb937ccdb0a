import { describe, expect, it } from 'vitest';
import { UsageError } from '#kernel/usage-error.ts';
import { parseArguments } from './arguments.ts';
import type { Command } from './command.ts';

const about = { en: '', ko: '' };
const command: Command = {
  name: 'send',
  takes: 'WHAT [WHERE]',
  about,
  flags: {
    name: { hint: 'NAME', about, sends: 'name', isRequired: true },
    hosts: { hint: 'A,B', about, sends: 'hosts', isList: true },
    output: { hint: 'FILE', about },
    json: { about },
    tag: { hint: 'TAG', about, isRepeatable: true },
  },
  run: async () => 0,
};

describe('Arguments', () => {
  const accepted = [
    { it: 'take a value after a blank', args: ['x', '--name', 'n'], flags: { name: 'n' }, words: ['x'] },
    { it: 'take a value after =', args: ['--name=a=b', 'x'], flags: { name: 'a=b' }, words: ['x'] },
    {
      it: 'let a flag without value stand alone',
      args: ['--json', 'x', '--name=n'],
      flags: { json: 'true', name: 'n' },
      words: ['x'],
    },
    {
      it: 'end their flags at --',
      args: ['--name=n', '--', '--json', 'y'],
      flags: { name: 'n' },
      words: ['--json', 'y'],
    },
    { it: 'take one dash as a word', args: ['-', '--name=n'], flags: { name: 'n' }, words: ['-'] },
    { it: 'take dashes in a value after =', args: ['x', '--name=--n'], flags: { name: '--n' }, words: ['x'] },
    { it: 'take an empty list', args: ['x', '--name=n', '--hosts='], flags: { name: 'n', hosts: '' }, words: ['x'] },
    {
      it: 'take an empty value that is not sent',
      args: ['x', '--name=n', '--output', ''],
      flags: { name: 'n', output: '' },
      words: ['x'],
    },
  ];
  for (const { it: sentence, args, flags, words } of accepted) {
    it(sentence, () => expect(parseArguments(command, args)).toEqual({ flags, words, lists: {} }));
  }

  it('take a flag several times that may be repeated', () => {
    const args = ['--tag', 'b', 'x', '--tag=a=c', '--name=n', '--tag', 'b'];
    expect(parseArguments(command, args)).toEqual({
      flags: { name: 'n' },
      words: ['x'],
      lists: { tag: ['b', 'a=c', 'b'] },
    });
  });

  const refused = [
    { it: 'refuse an unknown flag', args: ['x', '--colour'], code: 'unknown-flag' },
    { it: 'suggest the flag that was meant', args: ['x', '--nam', 'n'], code: 'unknown-flag-near' },
    { it: 'refuse what only objects have', args: ['x', '--constructor'], code: 'unknown-flag' },
    { it: 'refuse one dash before a letter', args: ['x', '-n', 'n'], code: 'one-dash' },
    { it: 'refuse a flag given twice', args: ['x', '--name=a', '--name=b'], code: 'flag-twice' },
    {
      it: 'refuse a value for a flag that takes none',
      args: ['x', '--name=n', '--json=false'],
      code: 'value-unwanted',
    },
    { it: 'refuse a flag whose value is the next flag', args: ['x', '--name', '--json'], code: 'value-missing' },
    { it: 'refuse a flag whose value is missing at the end', args: ['x', '--name'], code: 'value-missing' },
    { it: 'refuse an empty value, which the service would not see', args: ['x', '--name='], code: 'value-missing' },
    { it: 'refuse a missing flag that is required', args: ['x'], code: 'flag-missing' },
    { it: 'refuse a missing word', args: ['--name=n'], code: 'word-missing' },
    { it: 'refuse a word too many', args: ['x', 'y', 'z', '--name=n'], code: 'word-unwanted' },
  ];
  for (const { it: sentence, args, code } of refused) {
    it(sentence, () => expect(codeThrownBy(() => parseArguments(command, args))).toBe(code));
  }

  it('count any number of words behind three dots', () => {
    const open = { ...command, takes: 'WHAT...', flags: {} };
    expect(parseArguments(open, ['a', 'b', 'c']).words).toEqual(['a', 'b', 'c']);
    expect(codeThrownBy(() => parseArguments(open, []))).toBe('word-missing');
  });
});

function codeThrownBy(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof UsageError) return error.code;
    throw error;
  }
  return undefined;
}
