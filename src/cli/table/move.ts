// vigil table move

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags, Invocation } from '#cli/kit/command.ts';
import { FAILED } from '#cli/kit/failures/failure.ts';
import { countText } from '#cli/kit/output/numbers.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import type { AnswerFor } from '#client/call.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { LOCATIONS } from '#logs/log-store.ts';

type Client = ReturnType<typeof connect>;
type Move = NonNullable<AnswerFor<'GET /api/core/tables/:table/move'>['move']>;

const sent: Flags = {
  to: {
    hint: LOCATIONS.join('|'),
    about: { en: 'where the records are to be', ko: '레코드를 옮길 곳' },
    sends: 'to',
  },
};

const PAUSE = Temporal.Duration.from({ milliseconds: 500 });

export const tableMove: Command = {
  name: 'table move',
  takes: 'TABLE',
  about: {
    en: 'move the records of a table to another log store, or cancel that',
    ko: '테이블의 레코드를 다른 로그 저장소로 옮기거나 이동을 취소합니다',
  },
  flags: {
    ...sent,
    wait: {
      about: { en: 'show days done and left until the end', ko: '끝날 때까지 완료한 날과 남은 날을 보여 줍니다' },
    },
    cancel: { about: { en: 'cancel the move that runs', ko: '진행 중인 이동을 취소합니다' } },
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation) {
    const { flags, words } = invocation;
    const [table = ''] = words;
    if ((flags.to === undefined) === (flags.cancel === undefined)) throw new UsageError('move-needs-choice');
    const client = connect(invocation);
    if (flags.cancel !== undefined) return await cancel({ invocation, client }, table);
    const answer = await client.call('POST /api/core/tables/:table/move', {
      ...paramsOf<'POST /api/core/tables/:table/move'>(sent, flags),
      table,
    });
    if (flags.wait === undefined) {
      if (flags.json) printJson(invocation, answer);
      invocation.note(invocation.translator.text('move-begun', { table, to: flags.to ?? '' }));
      return 0;
    }
    return await awaitEnd({ invocation, client }, table, answer.id);
  },
};

interface Context {
  readonly invocation: Invocation;
  readonly client: Client;
}

async function cancel({ invocation, client }: Context, table: string): Promise<number> {
  const answer = await client.call('DELETE /api/core/tables/:table/move', { table });
  if (invocation.flags.json) printJson(invocation, answer);
  invocation.note(invocation.translator.text('move-cancelled', { table }));
  return 0;
}

async function awaitEnd({ invocation, client }: Context, table: string, id: string): Promise<number> {
  const { translator, note, flags } = invocation;
  let told = '';
  for (;;) {
    const { move } = await client.call('GET /api/core/tables/:table/move', { table });
    // Another move has followed, or the table was dropped and made again.
    if (move?.id !== id) throw new UsageError('move-failed', { table, reason: 'gone' });
    const progress = progressOf(move);
    const text = translator.text('move-progress', progress);
    if (text !== told) note(text);
    told = text;
    if (move.state === 'running') {
      await systemClock.sleep(PAUSE);
      continue;
    }
    if (flags.json) printJson(invocation, move);
    return ended(invocation, table, move);
  }
}

function ended({ translator, note }: Invocation, table: string, move: Move): number {
  if (move.state === 'failed') throw new UsageError('move-failed', { table, reason: move.error ?? '-' });
  if (move.state === 'cancelled') {
    note(translator.text('move-cancelled', { table }));
    return FAILED;
  }
  note(translator.text('move-finished', { table, to: move.to }));
  return 0;
}

const progressOf = ({ days_done, days_left, rows }: Move) => ({
  done: String(days_done),
  left: String(days_left),
  rows: countText(rows),
});
