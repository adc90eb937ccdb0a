// The parser of sent records: the one that the request names, or that the protocol suggests.

import { ApiError } from '#contract/errors.ts';
import { parsedBy } from '#ingest/reading/model.ts';
import type { LogReader, Readers } from '#ingest/reading/reader.ts';
import type { SenderRequest } from '#senders/decoded.ts';
import type { Sender } from '#senders/sender.ts';
import { SenderError } from '#senders/sender-error.ts';

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
