// The thread of the verification after a start: posts the verdict.

import { parentPort, workerData } from 'node:worker_threads';
import { publicKeyOf } from '#kernel/public-key.ts';
import type { BackgroundSubject } from './background.ts';
import { verifyDatabase } from './verify-database.ts';

// background.ts is the only caller, and posts this type.
const { location, witness, publicKey: text } = workerData as BackgroundSubject;
const publicKey = publicKeyOf(text);
if (!publicKey) throw new Error('the public audit key is malformed');
parentPort?.postMessage(await verifyDatabase(location, { publicKey, witnesses: [witness], needsWitness: true }));
