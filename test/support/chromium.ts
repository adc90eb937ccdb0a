// Debian's Chromium, driven by playwright-core, with a font for Korean.

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { installPackages } from './debian-package.ts';
import { POLL_TIME_OUT_MS } from './time-out.ts';

const PROGRAM = '/usr/bin/chromium';
const FONTS = '/usr/share/fonts/truetype/nanum';

/** Why Chromium cannot be run, after an attempt to install it; empty where it can. */
export function chromiumMissing(): string {
  const isThere = () => existsSync(PROGRAM) && existsSync(FONTS);
  if (!isThere()) installPackages('chromium', 'fonts-nanum');
  return isThere() ? '' : 'no browser: one of the Debian packages chromium, fonts-nanum is not installed';
}

/** Pages of tests come from a service of their own; the sandbox does not run as root. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: PROGRAM,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    timeout: POLL_TIME_OUT_MS,
  });
