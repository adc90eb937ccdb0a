// The `vigil` command: finds the subcommand, runs it, and words whatever goes wrong for the person who typed it.

import { Mistake } from '#kernel/mistake.ts';
import { nearMiss } from '#kernel/near-miss.ts';
import { FolderInUse } from '#store/sqlite.ts';
import { type Command, parseArguments } from './command.ts';
import { commands } from './commands.ts';
import { helpFor, helpForAll } from './help.ts';
import { isMessageCode, type Speech, speechFor } from './speech.ts';

const WRONG_USE = 2;

export async function main(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const speech = speechFor(environment);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  try {
    const [first] = args;
    if (first === undefined || first === '--help' || first === 'help') {
      print(helpForAll(await Promise.all(commands.map(({ load }) => load())), speech));
      return first === undefined ? WRONG_USE : 0;
    }
    const { command, rest } = await findCommand(args);
    if (rest.includes('--help')) {
      print(helpFor(command, speech));
      return 0;
    }
    return await command.run({ ...parseArguments(command, rest), environment, speech, print });
  } catch (error) {
    process.stderr.write(`vigil: ${worded(error, speech)}\n`);
    return WRONG_USE;
  }
}

/** The longest name that the arguments begin with. */
async function findCommand(args: readonly string[]): Promise<{ command: Command; rest: readonly string[] }> {
  for (const length of [2, 1]) {
    const name = args.slice(0, length).join(' ');
    const found = commands.find((candidate) => candidate.name === name);
    if (found) return { command: await found.load(), rest: args.slice(length) };
  }
  const name = args
    .filter((arg) => !arg.startsWith('-'))
    .slice(0, 2)
    .join(' ');
  const suggestion = nearMiss(
    name,
    commands.map((command) => command.name),
  );
  throw new Mistake(suggestion ? 'unknown-command-near' : 'unknown-command', { name, suggestion: suggestion ?? '' });
}

function worded(error: unknown, speech: Speech): string {
  if (error instanceof FolderInUse) return speech.say('data-folder-in-use', { folder: error.folder });
  if (error instanceof Mistake && isMessageCode(error.code)) return speech.say(error.code, error.values);
  return speech.say('unexpected', { reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
