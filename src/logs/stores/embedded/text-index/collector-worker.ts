// A thread that collects the words of row groups; each message is answered, so that texts do not pile up.

import { parentPort } from 'node:worker_threads';
import { type CollectorMessage, LocalCollector } from './word-collector.ts';

const collector = new LocalCollector();

parentPort?.on('message', async (message: CollectorMessage) => {
  if ('texts' in message) {
    await collector.add(message.texts);
    parentPort?.postMessage('added');
  } else parentPort?.postMessage(await collector.filter(message.ended));
});
