// Uploads that this browser has begun and not finished: their addresses and names, by account. No content of a file is kept.

import { defaultOptions, type PreviousUpload } from 'tus-js-client';

export const ENDPOINT = `${location.origin}/api/core/upload-streams`;

/** The same file of the same account is the same upload. */
export const fingerprintOf = (account: string, { name, size, lastModified }: File): string =>
  `vigil/${account}/${size}/${lastModified}/${name}`;

export type Remembered = PreviousUpload & { readonly uploadUrl: string; readonly size: number };

export async function rememberedOf(account: string): Promise<readonly Remembered[]> {
  const all = await defaultOptions.urlStorage.findAllUploads();
  return all.filter(isWhole).filter(({ urlStorageKey }) => urlStorageKey.startsWith(`tus::vigil/${account}/`));
}

export async function findRemembered(account: string, file: File): Promise<Remembered | undefined> {
  const found = await defaultOptions.urlStorage.findUploadsByFingerprint(fingerprintOf(account, file));
  return found.find(isWhole);
}

export const forget = ({ urlStorageKey }: Pick<PreviousUpload, 'urlStorageKey'>): Promise<void> =>
  defaultOptions.urlStorage.removeUpload(urlStorageKey);

/** Storage of a browser may hold anything. */
const isWhole = (upload: PreviousUpload): upload is Remembered =>
  typeof upload.size === 'number' &&
  typeof upload.metadata?.filename === 'string' &&
  typeof upload.metadata.table === 'string' &&
  (upload.uploadUrl?.startsWith(`${ENDPOINT}/`) ?? false);

export const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** The bytes that the service has; undefined where it has no such upload any more. */
export async function bytesAt(url: string): Promise<number | undefined> {
  const request = defaultOptions.httpStack.createRequest('HEAD', url);
  request.setHeader('Tus-Resumable', '1.0.0');
  const answer = await request.send(null);
  return answer.getStatus() === 200 ? Number(answer.getHeader('Upload-Offset')) : undefined;
}
