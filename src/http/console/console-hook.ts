// The console: which requests get its page or one of its files, and with which headers. The page is the same for every path;
// its own router shows what the path names.

import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type ApiError, unknownHost } from '#contract/errors.ts';
import { isKnownTag } from '#http/answers/known-tag.ts';
import type { HostRule } from '#http/requests/hosts.ts';
import { acceptedEncoding, prefersHtml } from '#operations/accepted.ts';
import { type Asset, type ConsoleFiles, ENCODINGS, NONCE } from './console-files.ts';

interface HookDeps {
  /** The error of a request that fits no route. */
  missing(method: string, path: string): ApiError;
  readonly wrongHost: HostRule;
}

const HTML = 'text/html; charset=utf-8';
const HASHED_NAME = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' };
const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Vigil</title>
<p>The console is not built. Run <code>npm run build</code> in the folder of Vigil, then load this page again.
<p lang="ko">콘솔이 빌드되지 않았습니다. Vigil 폴더에서 <code>npm run build</code>를 실행한 뒤 이 페이지를 다시 여십시오.
<p><a href="/docs">/docs</a></html>
`;

export const consoleHook = (files: ConsoleFiles, deps: HookDeps): onRequestHookHandler =>
  function answer(request, reply, done) {
    const path = pathOf(request);
    const isAsset = path.startsWith('/assets/') && isRead(request);
    if (!isAsset && !isForPage(request, path, deps)) return done();
    const host = deps.wrongHost(request.raw.rawHeaders);
    if (host !== undefined) return done(unknownHost(host));
    answerFrom(files, { path, request, reply }).then((answered) => {
      if (!answered) done();
    }, done);
  };

const pathOf = ({ originalUrl }: FastifyRequest): string => originalUrl.split('?')[0] ?? '';
const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** `/` where no protocol of senders takes it, and what a browser opens: any path that no operation has. */
function isForPage(request: FastifyRequest, path: string, { missing }: HookDeps): boolean {
  if (!isRead(request) || path === '/api' || path.startsWith('/api/')) return false;
  const { is404, routeOptions, method, headers } = request;
  if (path === '/' && is404) return true;
  const isFree = is404 ? missing(method, path).kind === 'noSuchOperation' : path === '/' || isAnyName(routeOptions.url);
  return isFree && prefersHtml(headers.accept);
}

/** A parameter at the root fits every path, so that it names none. */
const isAnyName = (url: string | undefined): boolean => url?.startsWith('/:') ?? false;

interface Exchange {
  readonly path: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Resolves to false for a file that the console does not have. */
async function answerFrom(files: ConsoleFiles, { path, request, reply }: Exchange): Promise<boolean> {
  const built = await files.load();
  const asset = built?.assets.get(path);
  if (asset) {
    sendAsset(asset, request, reply);
    return true;
  }
  if (path.startsWith('/assets/') && !prefersHtml(request.headers.accept)) return false;
  if (built) sendPage(built.index, reply);
  else
    reply.code(503).headers({ 'content-type': HTML, 'content-security-policy': "default-src 'none'" }).send(NOT_BUILT);
  return true;
}

function sendAsset({ type, etag, bytes, encoded }: Asset, { headers }: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ ...HASHED_NAME, etag });
  if (isKnownTag(headers, etag)) {
    reply.code(304).send();
    return;
  }
  const encoding = acceptedEncoding(headers['accept-encoding'], ENCODINGS);
  if (encoding) reply.header('content-encoding', encoding);
  reply.header('content-type', type).send(encoding ? encoded[encoding] : bytes);
}

/** A page is never kept: its nonce holds for one answer. */
function sendPage(index: string, reply: FastifyReply): void {
  const nonce = randomBytes(16).toString('base64');
  reply
    .headers({
      'content-type': HTML,
      'content-security-policy': policyWith(nonce),
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(index.replaceAll(NONCE, nonce));
}

const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
