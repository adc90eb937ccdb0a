// The browser knows of a lost network before a request does.

import { reportConnection } from './connection.ts';

/** Once, at the beginning. */
export const watchNetwork = (): void => addEventListener('offline', () => reportConnection('offline'));
