// The yardstick of the console's first load: its files from memory, compressed as they are built, and nothing else. Every other
// path is refused as the service refuses a request without a session, so that the same page appears.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const [port, folder] = process.argv.slice(2);
const { assets } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const files = new Map(assets.map((path) => [`/${path}`, readFileSync(join(folder, `${path}.br`))]));
const index = readFileSync(join(folder, 'index.html'));
const refusal = JSON.stringify({ error_code: 'unauthorized', error_msg: 'invalid api key' });

createServer(({ url }, answer) => {
  const file = files.get(url);
  if (file) {
    answer.writeHead(200, {
      'content-type': TYPES[extname(url)] ?? 'application/octet-stream',
      'content-encoding': 'br',
    });
    answer.end(file);
  } else if (url.startsWith('/api/')) answer.writeHead(401, { 'content-type': 'application/json' }).end(refusal);
  else answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(index);
}).listen(Number(port), '127.0.0.1');
