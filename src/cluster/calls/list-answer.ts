// The answer of another node to a list over all nodes. A refusal is an answer, too: the node is there.

import type { IncomingMessage } from 'node:http';
import { parseExactly } from '#kernel/json/parse-json.ts';

/** Bytes of an answer. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;

export interface ListAnswer {
  readonly status: number;
  /** Undefined with another status than 200, and where it is too long. */
  readonly value: unknown;
}

export async function listAnswer(answer: IncomingMessage): Promise<ListAnswer> {
  const { statusCode: status = 0 } = answer;
  const text = status === 200 ? await textOf(answer) : undefined;
  return { status, value: text === undefined ? undefined : parseExactly(text) };
}

/** Undefined where it is too long. */
async function textOf(answer: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (bytes > MAX_LIST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
