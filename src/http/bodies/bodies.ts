// Admission of request bodies before they are decoded: memory, size, type and time. The order of these checks is the
// reference's.

import type { Readable } from 'node:stream';
import { bodyTooLarge, unsupportedContent } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { type AnyEndpoint, type Content, isReading, NO_CONTENT, type RawBody } from '#operations/endpoint.ts';
import { FORM_TYPE, type Headers, isParameterType, mediaTypeOf } from '#operations/requests/body-params.ts';
import { BodyDeadlines, type BodyTimes } from './body-deadlines.ts';
import { type BodyPermit, ByteBudget } from './byte-budget.ts';
import { collectBody } from './collected-body.ts';
import { Decompression, type Encoding, encodingNamed } from './decompression.ts';

interface BodyLimits extends BodyTimes {
  /** Forms and JSON: the setting `body-limit`. */
  readonly bodyBytes: number;
  /** Operations without a key: the setting `open-body-limit`. */
  readonly openBytes: number;
  /** Data read as a whole: the setting `push-limit`. */
  readonly dataBytes: number;
  /** All bodies together: the setting `bodies-limit`. */
  readonly heldBytes: number;
  /** Values of a form or JSON: the setting `body-values`. */
  readonly values: number;
}

interface Sender {
  /** The authenticated account. */
  readonly account: string | undefined;
  readonly address: string;
}

interface SentRequest {
  readonly headers: Headers;
  readonly raw: Readable;
}

export class Bodies implements Disposable {
  readonly deadlines: BodyDeadlines;
  readonly limits: BodyLimits;
  readonly #budget: ByteBudget;
  readonly #decompression = new Decompression();

  constructor(clock: Clock, limits: BodyLimits) {
    this.limits = limits;
    this.deadlines = new BodyDeadlines(clock, limits);
    this.#budget = new ByteBudget(limits.heldBytes);
  }

  get heldBytes(): number {
    return this.#budget.heldBytes;
  }

  /** Reserves memory for one body until disposed. */
  permitFor({ account, address }: Sender): BodyPermit {
    return this.#budget.open(account === undefined ? { address } : { account });
  }

  /** Refuses a body whose announced length is too large, before reading it. */
  checkAnnounced({ headers }: Pick<SentRequest, 'headers'>, endpoint: AnyEndpoint): void {
    const limitBytes = this.#limitOf(endpoint);
    if (!isReading(endpoint.method) && announcedBytes(headers) > limitBytes) throw bodyTooLarge(limitBytes);
  }

  /** For a request that `hasBody`. */
  async receive(request: SentRequest, endpoint: AnyEndpoint, permit: BodyPermit): Promise<Content> {
    const { headers, raw } = request;
    if (endpoint.rawBody?.isStreamed) return streamedContent(request, endpoint.rawBody);
    permit.requireRoom();
    this.checkAnnounced(request, endpoint);
    const isAnnounced = headers['content-length'] !== undefined;
    const type = endpoint.rawBody ? dataType(headers, endpoint.rawBody) : '';
    const passed = passedEncoding(headers, endpoint);
    const encoding = endpoint.rawBody && passed.encoding === undefined ? bodyEncoding(headers) : undefined;
    const limitBytes = this.#limitOf(endpoint);
    if (!endpoint.rawBody && isAnnounced) requireParameters(headers);
    const bytes = await collectBody(raw, {
      limitBytes,
      permit,
      deadlines: this.deadlines,
      isOpen: isOpen(endpoint),
      isData: endpoint.rawBody !== undefined,
      announcedBytes: announcedBytes(headers),
    });
    if (!endpoint.rawBody && bytes.length > 0) requireParameters(headers);
    const content = { type, ...passed, hold: (more: number) => permit.add(more) };
    if (!encoding) return { ...content, bytes };
    return { ...content, bytes: await this.#decompression.decompress(bytes, { encoding, limitBytes, permit }) };
  }

  [Symbol.dispose](): void {
    this.deadlines[Symbol.dispose]();
  }

  #limitOf(endpoint: AnyEndpoint): number {
    const { bodyBytes, openBytes, dataBytes } = this.limits;
    if (endpoint.rawBody?.isStreamed) return Number.POSITIVE_INFINITY;
    if (isOpen(endpoint)) return openBytes;
    return endpoint.rawBody ? dataBytes : bodyBytes;
  }
}

/** Needs no key. */
const isOpen = ({ access }: AnyEndpoint): boolean => access === 'none' || access === 'token';

const announcedBytes = (headers: Headers): number => Number(headers['content-length'] ?? 0);

/** Data may be present and empty: the content type shows that it is present. A body of a reading request is not read. */
export function hasBody({ headers }: Pick<SentRequest, 'headers'>, { method, rawBody }: AnyEndpoint): boolean {
  if (isReading(method)) return false;
  const isTyped = rawBody !== undefined && headers['content-type'] !== undefined;
  return isTyped || headers['transfer-encoding'] !== undefined || announcedBytes(headers) > 0;
}

function streamedContent({ headers, raw }: SentRequest, rawBody: RawBody): Content {
  const type = dataType(headers, rawBody);
  const encoding = encodingOf(headers);
  if (encoding !== 'identity') throw unsupportedContent(encoding);
  const announced = headers['content-length'] === undefined ? {} : { announcedBytes: announcedBytes(headers) };
  return { ...NO_CONTENT, type, stream: raw, ...announced };
}

/** The encoding that the operation reads itself. */
function passedEncoding(headers: Headers, { rawBody }: AnyEndpoint): Pick<Content, 'encoding'> {
  const encoding = encodingOf(headers);
  return rawBody?.passes?.includes(encoding) ? { encoding } : {};
}

const ANY_TYPE = '*/*';

function dataType(headers: Headers, { types, mayBeUntyped }: RawBody): string {
  const type = mediaTypeOf(headers);
  if (types.includes(ANY_TYPE)) return type ?? '';
  if (mayBeUntyped && (headers['content-type'] === undefined || type === FORM_TYPE)) return '';
  if (type === undefined || !types.includes(type)) throw unsupportedContent(String(headers['content-type'] ?? ''));
  return type;
}

const encodingOf = (headers: Headers): string => String(headers['content-encoding'] ?? 'identity').toLowerCase();

/** Undefined for a body that is not compressed. */
function bodyEncoding(headers: Headers): Encoding | undefined {
  const name = encodingOf(headers);
  if (name === 'identity') return undefined;
  const encoding = encodingNamed(name);
  if (!encoding) throw unsupportedContent(name);
  return encoding;
}

function requireParameters(headers: Headers): void {
  const encoding = String(headers['content-encoding'] ?? 'identity');
  if (encoding !== 'identity') throw unsupportedContent(encoding);
  if (!isParameterType(headers)) throw unsupportedContent(String(headers['content-type'] ?? ''));
}
