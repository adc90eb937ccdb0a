// The text that gives records as they arrive, made of a table or of a query.

import type { AnswerFor } from '#client/call.ts';
import { liveDriver } from '#contract/live-driver.ts';
import { UsageError } from '#kernel/usage-error.ts';

type CheckedText = AnswerFor<'POST /api/core/queries/check'>;

const PREAMBLES = ['set', 'setq'];
const DRIVERS = ['table', 'fulltext'];

/** A word without blanks names tables: `web`, `web,app`, `web_*`. */
export const queryTextOf = (word: string): string => (/^[^\s|]+$/.test(word) ? `table ${word}` : word);

/** `commands` are those of the text. A command that computes over all rows would give none before the window ends. */
export function liveTextOf(text: string, { commands }: Pick<CheckedText, 'commands'>, seconds: number): string {
  const [driver, ...others] = commands.filter(({ name }) => !PREAMBLES.includes(name));
  if (!driver || !DRIVERS.includes(driver.name)) throw new UsageError('tail-not-a-table', { name: driver?.name ?? '' });
  const computing = others.find(({ kind }) => kind !== 'row');
  if (computing) throw new UsageError('tail-computes', { name: computing.name });
  const { begin, end } = driver;
  return `${text.slice(0, begin)}${liveDriver(text.slice(begin, end), seconds)}${text.slice(end)}`;
}
