// Requests to hosts and their answers, as a node reads them from rows and writes them into rows.

export type WebError =
  | 'host-not-allowed'
  | 'address-not-allowed'
  | 'header-not-allowed'
  | 'redirect-refused'
  | 'timeout'
  | 'too-large'
  | 'unreachable'
  | 'tls'
  | 'malformed-url';

/** A request of a row; the error of a row that asks for nothing that may be sent. */
export type WebRequest = WebError | SendableRequest;

export interface SendableRequest {
  /** Or the path behind the base url of the profile; null for the base url alone. */
  readonly url: string | null;
  /** Names in lower case, each once. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Uint8Array | null;
}

export type WebAnswer =
  | { readonly error: WebError; readonly code?: number }
  | { readonly code: number; readonly headers: readonly (readonly [string, string])[]; readonly bytes: Uint8Array };
