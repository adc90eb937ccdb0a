// Whether the service of this container answers: the health check of the image. It reads the settings of the environment, which are
// those of the service unless its command line or a settings file says otherwise.

import http from 'node:http';
import https from 'node:https';

const { VIGIL_HOST = '', VIGIL_PORT = '8470', VIGIL_TLS_CERT } = process.env;
const isAny = ['', '0.0.0.0', '::'].includes(VIGIL_HOST);
// Its certificate names the host that clients know, not this address.
const target = {
  host: isAny ? '127.0.0.1' : VIGIL_HOST,
  port: VIGIL_PORT,
  path: '/healthz',
  rejectUnauthorized: false,
};
(VIGIL_TLS_CERT ? https : http)
  .get(target, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('error', () => process.exit(1));
