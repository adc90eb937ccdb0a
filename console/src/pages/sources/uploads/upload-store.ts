// Uploads of this browser. They go on while the reader is on another page, and are remembered over a reload: the same file,
// given again, continues where it was.

import { Upload } from 'tus-js-client';
import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { ServiceError } from '#console/client/service-error.ts';
import { createState } from '#console/client/state.ts';
import {
  bytesAt,
  ENDPOINT,
  findRemembered,
  fingerprintOf,
  forget,
  type Remembered,
  rememberedOf,
  tokenOf,
} from './remembered.ts';
import { isPassing, readableError } from './upload-errors.ts';

export const FORMATS = ['ndjson', 'csv', 'text'] as const;
export type Format = (typeof FORMATS)[number];

export type Outcome = Extract<
  AnswerFor<'POST /api/core/upload-streams/:token/complete'>,
  { readonly rejected_count: number }
>;

export interface UploadView {
  readonly id: string;
  readonly account: string;
  readonly fileName: string;
  readonly table: string;
  readonly size: number;
  readonly sent: number;
  /** `waiting`: begun before this page was loaded; the file is to be given again. */
  readonly phase: 'waiting' | 'sending' | 'finished' | 'failed';
  /** Known once the service has opened the upload. */
  readonly token?: string;
  readonly outcome?: Outcome;
  readonly error?: unknown;
}

interface Target {
  readonly table: string;
  readonly format: Format;
}

/** Large enough to be fast, small enough that little is sent again after an interruption. */
const CHUNK_BYTES = 4_000_000;
const RETRY_MS = [0, 1000, 3000, 5000, 10_000, 30_000];

const state = createState<readonly UploadView[]>([]);
const running = new Map<string, Upload>();

export const uploadsOf = (account: string, uploads = state.get()): readonly UploadView[] =>
  uploads.filter((upload) => upload.account === account);

export const useUploads = (account: string): readonly UploadView[] => uploadsOf(account, state.use());

/** Adds those of earlier visits; the ones that the service has forgotten are forgotten here too. */
export async function recallUploads(account: string): Promise<void> {
  for (const remembered of await rememberedOf(account)) {
    const id = remembered.uploadUrl;
    if (state.get().some((upload) => upload.id === id)) continue;
    const sent = await bytesAt(id).catch(() => 0);
    if (sent === undefined) await forget(remembered);
    else if (!state.get().some((upload) => upload.id === id)) {
      put(waitingOf(remembered, account, sent));
      if (sent === remembered.size) await recallOutcome(remembered);
    }
  }
}

/** All bytes have arrived, so the file need not be given again; where the service refuses the import, the upload goes on waiting. */
async function recallOutcome(remembered: Remembered): Promise<void> {
  const id = remembered.uploadUrl;
  const outcome = await outcomeAt(id).catch(() => undefined);
  if (!outcome) return;
  await forget(remembered);
  change(id, { phase: 'finished', outcome });
}

const waitingOf = ({ uploadUrl, metadata, size }: Remembered, account: string, sent: number): UploadView => ({
  id: uploadUrl,
  token: tokenOf(uploadUrl),
  account,
  fileName: metadata.filename ?? '',
  table: metadata.table ?? '',
  size,
  sent,
  phase: 'waiting',
});

/** A file that was begun before continues in the table that it was for; resolves to false for another one. */
export async function resumeUpload(account: string, file: File): Promise<boolean> {
  const remembered = await findRemembered(account, file);
  if (!remembered) return false;
  const { table = '', format } = remembered.metadata;
  // It began with one of them.
  if (!running.has(remembered.uploadUrl)) send(account, file, { table, format: format as Format }, remembered);
  return true;
}

export async function beginUpload(account: string, file: File, target: Target): Promise<void> {
  if (!(await resumeUpload(account, file))) send(account, file, target, undefined);
}

function send(account: string, file: File, { table, format }: Target, remembered: Remembered | undefined): void {
  const view: UploadView = remembered
    ? { ...waitingOf(remembered, account, 0), phase: 'sending' }
    : { id: crypto.randomUUID(), account, fileName: file.name, table, size: file.size, sent: 0, phase: 'sending' };
  put(view);
  const upload = new Upload(file, {
    endpoint: ENDPOINT,
    metadata: { filename: file.name, table, format },
    chunkSize: CHUNK_BYTES,
    retryDelays: RETRY_MS,
    fingerprint: async () => fingerprintOf(account, file),
    removeFingerprintOnSuccess: true,
    onShouldRetry: isPassing,
    onUploadUrlAvailable: () => change(view.id, { token: tokenOf(upload.url ?? '') }),
    onProgress: (sent) => change(view.id, { sent }),
    onError: (error) => change(view.id, { phase: 'failed', error: readableError(error) }),
    onSuccess: () => void finish(view.id, upload),
  });
  if (remembered) upload.resumeFromPreviousUpload(remembered);
  running.set(view.id, upload);
  upload.start();
}

/** The import has ended with the last byte; its answer is asked for. */
async function finish(id: string, { url }: Upload): Promise<void> {
  try {
    const outcome = await outcomeAt(url ?? '');
    if (outcome) change(id, { phase: 'finished', outcome, sent: sizeOf(id) });
  } catch (error) {
    change(id, { phase: 'failed', error });
  }
}

async function outcomeAt(url: string): Promise<Outcome | undefined> {
  const outcome = await call('POST /api/core/upload-streams/:token/complete', { token: tokenOf(url) });
  return 'rejected_count' in outcome ? outcome : undefined;
}

export function retryUpload(id: string): void {
  change(id, { phase: 'sending' });
  running.get(id)?.start();
}

/** Removes what has arrived, and forgets the upload. */
export async function cancelUpload(id: string): Promise<void> {
  const upload = running.get(id);
  await upload?.abort();
  const url = upload ? upload.url : id;
  running.delete(id);
  if (url !== null) {
    const view = state.get().find((one) => one.id === id);
    for (const remembered of await rememberedOf(view?.account ?? '')) {
      if (remembered.uploadUrl === url) await forget(remembered);
    }
    await call('DELETE /api/core/upload-streams/:token', { token: tokenOf(url) }).catch(unlessGone);
  }
  dismissUpload(id);
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ServiceError && error.message.startsWith('upload stream not found'))) throw error;
}

/** Takes a finished upload off the list. */
export const dismissUpload = (id: string): void => {
  running.delete(id);
  state.set(state.get().filter((upload) => upload.id !== id));
};

const sizeOf = (id: string): number => state.get().find((upload) => upload.id === id)?.size ?? 0;

const put = (view: UploadView): void => state.set([view, ...state.get().filter(({ id }) => id !== view.id)]);

const change = (id: string, changed: Partial<UploadView>): void =>
  state.set(state.get().map((upload) => (upload.id === id ? { ...upload, ...changed } : upload)));
