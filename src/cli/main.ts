// The `vigil` command: finds the subcommand, runs it, and reports errors as texts for people.

import type { Listed } from './commands.ts';
import { parseArguments } from './kit/arguments.ts';
import type { Streams } from './kit/command.ts';
import { codeOf, errorText, exitCodeOf, isClosedPipe } from './kit/failure.ts';
import { helpFor, helpForAll } from './kit/help.ts';
import { type Translator, translatorFor } from './kit/translator.ts';
import { requestOf, unknownCommand } from './request.ts';

export async function main(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  streams: Streams = process,
): Promise<number> {
  const translator = translatorFor(environment);
  const { stdout, stderr } = streams;
  const print = (line: string) => void stdout.write(`${line}\n`);
  const note = (line: string) => void stderr.write(`${line}\n`);
  ignoreClosedPipe(stdout);
  try {
    const request = requestOf(args);
    if ('isVersion' in request) {
      const { versionText } = await import('./kit/version.ts');
      print(versionText());
      return 0;
    }
    if ('helpOn' in request) {
      print(await helpOn(request.helpOn, translator));
      return request.exitCode;
    }
    if ('languageWord' in request) {
      for (const line of await languageHelp(request, args, translator)) print(line);
      return 0;
    }
    const command = await request.command.load();
    const isColoured = stdout.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
    const given = parseArguments(command, request.args);
    return await command.run({ ...given, environment, translator, streams, isColoured, print, note });
  } catch (error) {
    if (isClosedPipe(error)) return 0;
    note(`vigil: ${errorText(error, translator)}`);
    return exitCodeOf(error);
  }
}

/** The reader may close the output early, as `head` does, and a terminal may be closed: neither is a failure. */
function ignoreClosedPipe(stdout: Streams['stdout']): void {
  stdout.on('error', (error) => {
    if (!isClosedPipe(error) && codeOf(error) !== 'EIO') throw error;
  });
}

/** The language is loaded on demand: it is large, and hardly any command needs it. */
async function languageHelp(
  { languageWord }: { readonly languageWord: string },
  args: readonly string[],
  translator: Translator,
): Promise<readonly string[]> {
  const { languageHelpLines } = await import('./kit/language-help.ts');
  const lines = languageHelpLines(languageWord, translator);
  if (lines.length === 0) throw unknownCommand(args.slice(1));
  return lines;
}

async function helpOn(listed: readonly Listed[], translator: Translator): Promise<string> {
  const [first, ...others] = await Promise.all(listed.map(({ load }) => load()));
  return first && others.length === 0
    ? helpFor(first, translator)
    : helpForAll(first ? [first, ...others] : [], translator);
}
