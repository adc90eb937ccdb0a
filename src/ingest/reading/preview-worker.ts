// A worker thread for previews of parsers. A preview arrives as several messages; the last is answered.

import { parentPort } from 'node:worker_threads';
import { Preview, type PreviewInput } from './preview.ts';

export type PreviewMessage = 'ready' | { readonly results: readonly string[] } | { readonly failure: string };

const preview = new Preview();

parentPort?.on('message', async (piece: PreviewInput) => {
  try {
    const results = await preview.take(piece);
    if (results) tell({ results });
  } catch (error) {
    tell({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

const tell = (message: PreviewMessage): void => parentPort?.postMessage(message);

tell('ready');
