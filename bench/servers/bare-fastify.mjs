// The yardstick: Fastify as its own documentation shows it, with no log, no authentication and no measuring, in plain
// JavaScript. Started as the service is, with a compile cache, so that only what is loaded differs.

import { enableCompileCache } from 'node:module';

enableCompileCache();

const { default: fastify } = await import('fastify');
const [port, answer = '{}', headers = '{}'] = process.argv.slice(2);
const object = JSON.parse(answer);
const fields = JSON.parse(headers);
const server = fastify();
server.get('/hello', async (_request, reply) => {
  reply.headers(fields);
  return reply.send(JSON.stringify(object));
});
await server.listen({ port: Number(port), host: '127.0.0.1' });
