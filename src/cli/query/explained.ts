// vigil query --explain: what a query does where, as a table, and the statements behind it where the account may see them.

import type { Client } from '#cli/kit/client.ts';
import type { Invocation } from '#cli/kit/command.ts';
import { WRONG_USE } from '#cli/kit/failures/failure.ts';
import { findingLines, findingsBehind } from '#cli/kit/failures/findings.ts';
import { countText } from '#cli/kit/output/numbers.ts';
import { printJson } from '#cli/kit/output/records.ts';
import { columns, printable } from '#cli/kit/output/text-table.ts';
import type { AnswerFor } from '#client/call.ts';
import type { QueryOptions } from './options.ts';

type Explained = AnswerFor<'POST /api/core/queries/explain'>;

/** With `--check` nothing runs. */
export async function explainQuery(client: Client, options: QueryOptions, invocation: Invocation): Promise<number> {
  const { flags, print, note, translator } = invocation;
  try {
    const { text: q, params } = options;
    const answer = await client.call('POST /api/core/queries/explain', { q, params, run: !flags.check });
    if (flags.json) printJson(invocation, answer);
    else stageLines(answer, translator).forEach((line) => void print(line));
    return 0;
  } catch (error) {
    const findings = await findingsBehind(error, options, client);
    if ((findings.mistakes ?? []).length === 0) throw error;
    findingLines(findings, options.text, translator).forEach(note);
    return WRONG_USE;
  }
}

function stageLines({ stages }: Explained, translator: Invocation['translator']): string[] {
  const head = [
    '',
    translator.text('query-stage-engine'),
    translator.text('query-stage-commands'),
    translator.text('query-stage-rows-read'),
    translator.text('query-stage-bytes-read'),
    translator.text('query-stage-rows-moved'),
    translator.text('query-stage-bytes-moved'),
    translator.text('query-stage-elapsed'),
  ];
  const rows = stages.map(({ engine, commands, rows_read, bytes_read, rows_moved, bytes_moved, elapsed }, index) => [
    String(index + 1),
    engine,
    commands.join(' '),
    ...[rows_read, bytes_read, rows_moved, bytes_moved, elapsed].map((count) =>
      count === null ? '' : countText(count),
    ),
  ]);
  const statements = stages.flatMap(({ statement }, index) =>
    statement === null ? [] : ['', `${index + 1}  ${printable(statement)}`],
  );
  return [...columns([head, ...rows], [true, false, false, true, true, true, true, true]), ...statements];
}
