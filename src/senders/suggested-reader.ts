// The parser of sent records: the one that the request names, or that the protocol suggests.

import { ApiError } from '#contract/errors.ts';
import { parsedBy } from '#ingest/model.ts';
import type { LogReader, Readers } from '#ingest/reader.ts';
import type { SenderRequest } from './decoded.ts';
import type { Sender } from './sender.ts';
import { SenderError } from './sender-error.ts';

export async function suggestedReader<Facts>(
  readers: Readers,
  sender: Sender<Facts>,
  { request, table }: { readonly request: SenderRequest; readonly table: string },
): Promise<LogReader | undefined> {
  const { parser } = request.params;
  const code = parser ?? sender.parserHint?.(request);
  if (!code) return undefined;
  try {
    return await readers.readerFor({ ...parsedBy(code), table_name: table });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (parser && error.kind === 'notFound') throw new SenderError(error, 'malformed');
    // A parser that is only suggested, and is not there or cannot do without configs, is none.
    if (parser || (error.kind !== 'notFound' && error.status !== 400)) throw error;
    return undefined;
  }
}
