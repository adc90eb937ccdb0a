// Asks a service for its health at a steady beat, in a process of its own, as another client would.

import http from 'node:http';
import https from 'node:https';

const BEAT_MS = 20;

const [url = ''] = process.argv.slice(2);
const { Agent, get } = url.startsWith('https:') ? https : http;
const agent = new Agent({ keepAlive: true });
const found = { healthy: 0, failures: [] as string[] };

setInterval(() => {
  get(`${url}/healthz`, { agent }, (answer) => {
    answer.resume().on('end', () => {
      if (answer.statusCode === 200) found.healthy += 1;
      else found.failures.push(String(answer.statusCode));
    });
  }).on('error', (error) => found.failures.push(error.message));
}, BEAT_MS);

process.on('message', () => void process.send?.(found));
