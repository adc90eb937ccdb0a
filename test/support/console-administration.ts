// What a person does in any family of Administration.

import type { Locator, Page } from 'playwright-core';

/** On a page in English. */
export function administrator(page: Page) {
  const dialog = page.getByRole('dialog').last();
  const save = () => dialog.getByRole('button', { name: 'Save' }).click();
  const headline = (name: string) => page.getByText(name, { exact: true }).last();
  return {
    dialog,
    save,
    go: async (family: string) => {
      await page.getByRole('link', { name: family, exact: true }).click();
      await page.getByRole('region', { name: family, exact: true }).first().waitFor();
    },
    begin: (one: string, within: Page | Locator = page) => within.getByRole('button', { name: `New: ${one}` }).click(),
    fill: async (values: Readonly<Record<string, string>>) => {
      for (const [label, value] of Object.entries(values)) await dialog.getByLabel(label, { exact: true }).fill(value);
    },
    choose: async (label: string, option: string) => {
      await dialog.getByRole('combobox', { name: label, exact: true }).last().click();
      await page.getByRole('option', { name: option }).click();
    },
    /** The form stays open with the message. */
    saveRefused: async (message: string | RegExp) => {
      await save();
      await dialog.getByRole('alert').filter({ hasText: message }).waitFor();
    },
    saveAs: async (name: string) => {
      await save();
      await dialog.waitFor({ state: 'detached' });
      await headline(name).waitFor();
    },
    change: () => page.getByRole('button', { name: 'Change', exact: true }).click(),
    cancel: () => dialog.getByRole('button', { name: 'Cancel', exact: true }).click(),
    /** A form with input that is not saved. */
    discard: async () => {
      await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByRole('button', { name: 'Discard', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    },
    /** The open record. */
    remove: async (one: string) => {
      await page
        .getByRole('region', { name: one, exact: true })
        .getByRole('button', { name: 'Delete', exact: true })
        .first()
        .click();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('region', { name: one, exact: true }).waitFor({ state: 'detached' });
    },
  };
}
