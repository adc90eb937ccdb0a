// The bytes of a file into an upload stream, in one PATCH.

import { createReadStream } from 'node:fs';
import { STREAMS } from '#test/support/uploads.ts';
import type { ServerProcess } from './server-process.ts';

const READ_BYTES = 1024 * 1024;

export async function sendFile({ port }: ServerProcess, token: string, file: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${STREAMS}/${token}`, {
    method: 'PATCH',
    headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: ReadableStream.from(createReadStream(file, { highWaterMark: READ_BYTES })),
    duplex: 'half',
  });
  if (answer.status !== 204) throw new Error(`not taken: ${answer.status} ${await answer.text()}`);
}
