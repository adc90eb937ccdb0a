// A worker thread for trials of rules. A trial arrives as several messages; the last is answered with results as they are found,
// and finally with the rules that could not be compiled.

import { parentPort } from 'node:worker_threads';
import { Trial, type TrialAnswer, type TrialInput } from './trial.ts';

export type TrialMessage = 'ready' | TrialAnswer | { readonly failure: string };

const trial = new Trial();

parentPort?.on('message', (piece: TrialInput) => {
  try {
    for (const answer of trial.take(piece)) tell(answer);
  } catch (error) {
    tell({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

const tell = (message: TrialMessage): void => parentPort?.postMessage(message);

// The query language is loaded by now.
tell('ready');
