// Event streams as a client reads them: what has come so far of one that goes on.

import { get, type IncomingMessage } from 'node:http';
import { MASTER_KEY } from './service.ts';

interface OpenStream {
  readonly answer: IncomingMessage;
  readonly got: { readonly text: string; readonly isClosed: boolean };
  leave(): void;
}

export async function openStream(
  url: string,
  { key = MASTER_KEY, ...more }: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const headers = { authorization: `Bearer ${key}`, ...more };
  const answer = await new Promise<IncomingMessage>((resolve) => {
    get(url, { headers, agent: false }, resolve);
  });
  const got = { text: '', isClosed: false };
  answer.on('data', (chunk) => {
    got.text += chunk;
  });
  answer.on('end', () => {
    got.isClosed = true;
  });
  return { answer, got, leave: () => answer.destroy() };
}
