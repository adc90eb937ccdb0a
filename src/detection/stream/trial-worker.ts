// A thread in which rules are tried. It is told of a trial in pieces, and answers the last of them: with results as they are
// found, and at the end with the rules that could not be tried.

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

// The language is loaded by now.
tell('ready');
