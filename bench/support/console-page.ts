// Pages of the console in Chromium, timed by the page itself: a call from here takes longer than a frame.

import type { Browser, Page } from 'playwright-core';
import { MASTER_KEY } from './server-process.ts';

const EDITOR = '[role="textbox"][aria-label="Query"]';
const ROW = '[role="treegrid"] [role="row"][aria-rowindex="2"]';

/** A page of a browser without cookies and cache, at a size that most have. */
export async function freshPage(browser: Browser, url: string, { isSignedIn }: { isSignedIn: boolean }): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  if (isSignedIn) {
    const opened = await context.request.post(`${url}/api/core/sessions`, { form: { api_key: MASTER_KEY } });
    if (!opened.ok()) throw new Error(`no session: ${opened.status()}`);
  }
  return await context.newPage();
}

/** Milliseconds from the request for the page until an element is painted. */
export async function loadTime(page: Page, url: string, selector: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  return await page.evaluate(painted(selector, 'performance.now()'));
}

export const SIGN_IN_FIELD = 'form input';
export const SEARCH_EDITOR = EDITOR;

/** Milliseconds from Ctrl-Enter in Search until the first row is painted. */
export async function firstRowsTime(page: Page, url: string, query: string): Promise<number> {
  await page.goto(`${url}/search`);
  const editor = page.locator(EDITOR);
  await editor.waitFor();
  await editor.click();
  await page.keyboard.insertText(query);
  await page.keyboard.press('Escape');
  await page.evaluate(`addEventListener('keydown', ({ timeStamp }) => { window.pressedAt = timeStamp; }, true)`);
  await page.keyboard.press('Control+Enter');
  return await page.evaluate(painted(ROW, 'performance.now() - window.pressedAt'));
}

/** Resolves in the page, with the value of an expression, behind the frame in which the element appears. */
const painted = (selector: string, expression: string): string => `new Promise((resolve) => {
  const look = () => {
    if (!document.querySelector(${JSON.stringify(selector)})) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => resolve(${expression})));
  };
  look();
})`;

export interface Frames {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly longest: number;
  /** Processor time of the page's main thread, in milliseconds per frame: it varies little on a busy machine. */
  readonly cost: number;
}

/** Scrolls the rows, or a bare box of the same size, by some rows in every frame. */
export async function scrollFrames(page: Page, frames: number): Promise<Frames> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taskMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const before = await taskMs();
  const deltas: number[] = await page.evaluate(`new Promise((resolve) => {
    const grid = document.querySelector('[role="treegrid"]');
    const box = grid ? grid.parentElement : document.querySelector('#box');
    const deltas = [];
    let before = 0;
    const frame = (now) => {
      if (before > 0) deltas.push(now - before);
      before = now;
      if (deltas.length === ${frames}) return resolve(deltas);
      box.scrollTop += ${SCROLLED_PX};
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })`);
  const total = deltas.reduce((sum, delta) => sum + delta, 0);
  const cost = ((await taskMs()) - before) / deltas.length;
  await session.detach();
  return { perSecond: (1000 * deltas.length) / total, longest: Math.max(...deltas), cost };
}

/** Waits until nothing more is computed for the rows: the histogram and the values of fields are there. */
export async function whenSettled(page: Page): Promise<void> {
  await page.getByRole('img', { name: /^Chart: Records over time/ }).waitFor();
  await page
    .getByRole('button', { name: /^Only rows with/ })
    .first()
    .waitFor();
}

/** Of one frame: three screens of rows a second. */
const SCROLLED_PX = 45;

/** A page whose scrolling costs next to nothing. */
export async function bareBox(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.setContent('<div id="box" style="height:600px;overflow:auto"><div style="height:1000000px"></div></div>');
  return page;
}

/** Bytes of the page's objects that are in use, after a collection. */
export async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
