// How many threads read and decode beside the main one, and how large they may be.

import { availableParallelism } from 'node:os';

/** The main thread and the engine work at the same time. */
export const MAX_DECODING_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/** Of one thread: more than the records of its orders take. */
export const THREAD_HEAP_MEGABYTES = 512;
