// Suites of the console: a real service with the demo's data and a real browser, shared by the tests of a file. Every page is
// watched: an error in its console, a violation of its policy or a request to another origin fails the test.

import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { launchChromium } from './chromium.ts';
import { type DemoOptions, type DemoService, startDemoService } from './demo-data.ts';
import { ROOT } from './sources.ts';
import { POLL_TIME_OUT_MS } from './time-out.ts';

const SCREENSHOTS = join(ROOT, 'docs/console');
const AXE_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export type Login = 'master' | 'kim' | 'lee';

export interface PageOptions {
  /** Without a session where it is null. */
  readonly as?: Login | null;
  readonly path?: string;
  readonly language?: 'en' | 'ko';
  readonly theme?: 'light' | 'dark';
  /** 1440 or 390: the widths at which every page must work. */
  readonly width?: 1440 | 390;
  readonly timeZone?: string;
}

export interface ConsoleSuite {
  readonly service: DemoService;
  /** A page of a browser of its own: cookies and storage are not shared. */
  openPage(options?: PageOptions): Promise<Page>;
  /** A further page of the same browser. */
  openBeside(page: Page, path: string): Promise<Page>;
  /** The account of the next load of the page, in its language. */
  signIn(page: Page, login: Login, language?: 'en' | 'ko'): Promise<void>;
  /** Fails with what a page has done that no page may; also checked after every test. */
  expectClean(page: Page): void;
}

export function describeConsole(title: string, define: (suite: ConsoleSuite) => void, options: DemoOptions = {}): void {
  describe.skipIf(inject('chromiumReason') !== '')(title, () => define(consoleSuite(options)));
}

function consoleSuite(options: DemoOptions): ConsoleSuite {
  let browser: Browser | undefined;
  let service: DemoService | undefined;
  const contexts: BrowserContext[] = [];
  const faults = new Map<Page, string[]>();
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchChromium(), startDemoService(options)]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    const found = [...faults.values()].flat();
    faults.clear();
    for (const context of contexts.splice(0)) await context.close();
    expect(found).toEqual([]);
  });
  const running = (): DemoService => {
    if (!service) throw new Error('the service of this suite has not started yet');
    return service;
  };
  const watch = (page: Page): Page => {
    faults.set(page, faultsOf(page, running().url));
    return page;
  };
  return {
    get service() {
      return running();
    },
    async openPage({ as = 'kim', path = '/', language = 'en', theme = 'light', width = 1440, timeZone = 'UTC' } = {}) {
      if (!browser) throw new Error('the browser of this suite has not started yet');
      const context = await browser.newContext({
        viewport: { width, height: width === 390 ? 844 : 900 },
        colorScheme: theme,
        locale: language === 'ko' ? 'ko-KR' : 'en-GB',
        timezoneId: timeZone,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      context.setDefaultTimeout(POLL_TIME_OUT_MS);
      contexts.push(context);
      if (as !== null) await signIn(context, running(), { login: as, language });
      const page = watch(await context.newPage());
      await page.goto(running().url + path);
      return page;
    },
    async openBeside(page, path) {
      const beside = watch(await page.context().newPage());
      await beside.goto(running().url + path);
      return beside;
    },
    signIn: (page, login, language = 'en') => signIn(page.context(), running(), { login, language }),
    expectClean: (page) => expect(faults.get(page)).toEqual([]),
  };
}

/** The preferences of the account hold the language alone: what another test has chosen does not count. */
async function signIn(
  context: BrowserContext,
  { url, keys }: DemoService,
  { login, language }: { readonly login: Login; readonly language: 'en' | 'ko' },
): Promise<void> {
  const opened = await context.request.post(`${url}/api/core/sessions`, { form: { api_key: keys[login] } });
  expect(opened.status()).toBe(200);
  const chosen = await fetch(`${url}/api/core/preferences`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${keys[login]}`, 'content-type': 'application/json' },
    body: JSON.stringify({ preferences: { language } }),
  });
  expect(chosen.status).toBe(200);
}

/** Grows while the page is open. */
function faultsOf(page: Page, url: string): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    // The browser reports every answer with an error here; tests look at what the page makes of it.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(`${url}/`) || request.url().startsWith('data:');
    if (!isOwn) faults.push(`request to ${request.url()}`);
  });
  return faults;
}

/** Fails with the rules of accessibility that the page breaks, and where. */
export async function expectAccessible(page: Page): Promise<void> {
  // As an expression of the debugger, which the policy of the page does not concern.
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axeText());
  const violations = await page.evaluate(`(async () => {
    const { violations } = await axe.run(document, { preload: false, runOnly: ${JSON.stringify(AXE_RULES)} });
    return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '));
  })()`);
  expect(violations).toEqual([]);
}

const axeText = (): string => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** For docs/console: made by `VIGIL_SCREENSHOTS=1`, so that the pictures never differ from the console. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (process.env.VIGIL_SCREENSHOTS !== '1') return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), animations: 'disabled' });
}

/** A page must not be wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}
