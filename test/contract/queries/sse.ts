// Server-sent events as they come in: messages and comments, in order.

import type { IncomingMessage } from 'node:http';
import { begin, QUERIES, type Status } from '#test/support/queries.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

export interface Message {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: Status;
}

export interface EventStream extends Disposable {
  readonly answer: IncomingMessage;
  readonly messages: Message[];
  readonly comments: string[];
  readonly state: { isClosed: boolean };
  /** Waits until `isSo`, and does something else before each look. */
  until(isSo: () => boolean, meanwhile?: () => void): Promise<void>;
}

export async function events(url: string, id: number, key = MASTER_KEY): Promise<EventStream> {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
  const answer = await begin(url, `${QUERIES}/${id}/events`, headers);
  const messages: Message[] = [];
  const comments: string[] = [];
  const state = { isClosed: false };
  let rest = '';
  answer.setEncoding('utf8');
  answer.on('data', (part: string) => {
    const blocks = (rest + part).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) take(block, messages, comments);
    // A comment need not be followed by an empty line.
    if (/^:.*\n$/.test(rest)) {
      comments.push(rest.trimEnd());
      rest = '';
    }
  });
  answer.on('close', () => {
    state.isClosed = true;
  });
  return {
    answer,
    messages,
    comments,
    state,
    async until(isSo, meanwhile = () => undefined) {
      let looks = 0;
      const look = () => {
        if (looks > 0) meanwhile();
        looks += 1;
        return { condition: String(isSo), messages: messages.slice(-2), comments, state };
      };
      await until(look, isSo);
    },
    [Symbol.dispose]: () => void answer.destroy(),
  };
}

function take(block: string, messages: Message[], comments: string[]): void {
  const lines = block.split('\n').filter((line) => line !== '');
  comments.push(...lines.filter((line) => line.startsWith(':')));
  const fields = lines.filter((line) => !line.startsWith(':'));
  if (fields.length === 0) return;
  const value = (name: string) => fields.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const unknown = fields.filter((line) => !/^(event|id|data): /.test(line));
  if (unknown.length > 0 || fields.length !== 3) throw new Error(`not an event: ${block}`);
  messages.push({ event: value('event'), id: value('id'), data: JSON.parse(value('data') ?? '') });
}
