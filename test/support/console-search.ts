// What tests of Search have in common: addresses, rows, and requests beside the page.

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ConsoleSuite } from './console-suite.ts';

export const searchPath = (q: string, more = ''): string => `/search?q=${encodeURIComponent(q)}${more}`;
export const queryIn = (page: Page): string => new URL(page.url()).searchParams.get('q') ?? '';
export const rowsOf = (page: Page): Locator => page.getByRole('treegrid', { name: 'Rows' }).getByRole('row');
/** The first is the header. */
export const firstRow = (page: Page): Locator => rowsOf(page).nth(1);

/** Replaces the text in the editor and runs it. */
export async function runQuery(page: Page, q: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(q);
  // Closes what completion offers.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
}

export async function post(
  { service }: ConsoleSuite,
  operation: string,
  body: string,
  type = 'application/json',
): Promise<void> {
  const answer = await fetch(`${service.url}/api/core/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.keys.kim}`, 'content-type': type },
    body,
  });
  expect(answer.status, await answer.text()).toBe(200);
}
