// Requests of rows, and rows with their answers (8.2, wget).

import { isSecretName } from '#contract/secret-names.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { RowScope } from '#query/plan-nodes/shared/row-scope.ts';
import type { WebAnswer, WebRequest } from '#query/plan-nodes/shared/web.ts';
import type { WebRequests } from '#query/plan-nodes/wget.ts';
import type { Row } from '#query/rows/row.ts';
import { compactJson, textOf } from '#query/values/conversions.ts';
import { charsetNamed, decodeLossy } from '#query/values/text/charsets.ts';

/** The connection sets these itself. */
const OWN_HEADERS = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'keep-alive',
]);
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A line break would begin another header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const COOKIE = 'cookie';

const CONTENT_TYPES = { text: undefined, json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

export class WebRows {
  readonly #planNode: WebRequests;
  readonly #zone: string;
  readonly #asked: (row: Row) => Value;
  readonly #header: (row: Row) => Value;
  readonly #body: (row: Row) => Value;

  constructor(node: WebRequests, scope: RowScope<Row>) {
    const { target, header, body } = node;
    const asked = 'url' in target ? target.url : target.path;
    this.#planNode = node;
    this.#zone = scope.run.zone;
    this.#asked = asked ? scope.value(asked) : () => null;
    this.#header = header ? scope.value(header) : () => null;
    this.#body = body ? scope.value(body) : () => null;
  }

  request(row: Row): WebRequest {
    const headers = this.#headers(this.#header(row));
    if (!headers) return 'header-not-allowed';
    const asked = this.#asked(row);
    const body = this.#bodyOf(this.#body(row));
    const type = CONTENT_TYPES[this.#planNode.format];
    if (body !== null && type !== undefined && !headers.has('content-type')) headers.set('content-type', type);
    return { url: asked === null ? null : textOf(asked, this.#zone), headers: [...headers], body };
  }

  fill(row: Row, answer: WebAnswer): void {
    const { fields, encoding } = this.#planNode;
    const isThere = 'bytes' in answer;
    const type = isThere ? answer.headers.find(([name]) => name === 'content-type')?.[1] : undefined;
    row[fields.line] = isThere ? withoutMark(decodeLossy(answer.bytes, charsetIn(type) ?? encoding)) : null;
    row[fields.code] = answer.code === undefined ? null : BigInt(answer.code);
    row[fields.headers] = isThere ? new Map(answer.headers) : null;
    row[fields.error] = isThere ? null : answer.error;
  }

  /** Undefined where a name or value may not be sent. */
  #headers(given: Value): Map<string, string> | undefined {
    const headers = new Map<string, string>();
    if (given === null) return headers;
    if (!(given instanceof Map)) return undefined;
    for (const [written, value] of given as MapValue) {
      const name = written.toLowerCase();
      const text = textOf(value, this.#zone);
      if (text === null || OWN_HEADERS.has(name)) continue;
      const isSecret = isSecretName(name) || name === COOKIE;
      if (isSecret && !this.#planNode.mayHoldSecrets) return undefined;
      if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(text)) return undefined;
      headers.set(name, text);
    }
    return headers;
  }

  #bodyOf(value: Value): string | Uint8Array | null {
    if (value === null || value instanceof Uint8Array) return value;
    if (value instanceof Map && this.#planNode.format === 'form') return this.#form(value);
    return value instanceof Map || Array.isArray(value) ? compactJson(value, this.#zone) : textOf(value, this.#zone);
  }

  #form(map: MapValue): string {
    const form = new URLSearchParams();
    for (const [name, value] of map) {
      for (const one of Array.isArray(value) ? value : [value]) form.append(name, textOf(one, this.#zone) ?? '');
    }
    return form.toString();
  }
}

function charsetIn(contentType: string | undefined) {
  const [, name] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '') ?? [];
  return name === undefined ? undefined : charsetNamed(name);
}

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);
