// Mistakes of a draft: required values that are absent, and messages of the service at the fields that they name.

import { failureText } from '#console/client/failure-text.ts';
import { ServiceError } from '#console/client/service-error.ts';
import type { Labels } from '#console/labels/en.ts';
import type { AnyDraft, AnyField, Mistakes } from './form-field.ts';

export const shownFields = (fields: readonly AnyField[], draft: AnyDraft): readonly AnyField[] =>
  fields.filter(({ isShown }) => isShown?.(draft) ?? true);

export const absentValues = (fields: readonly AnyField[], draft: AnyDraft, { form }: Labels): Mistakes =>
  Object.fromEntries(
    shownFields(fields, draft)
      .filter((field) => field.isRequired && isEmpty(draft[field.name]))
      .map(({ name }) => [name, form.required]),
  );

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

export function refusalOf(error: unknown, fields: readonly AnyField[], labels: Labels): Mistakes {
  const { text, detail } = failureText(error, labels);
  const words = detail === undefined ? text : `${text} ${detail}`;
  const names = error instanceof ServiceError ? namesIn(error.message) : [];
  const field = names.map((named) => fields.find(({ name }) => name === named)).find((found) => found !== undefined);
  return { [field?.name ?? '']: words };
}

/** `'name' must be …`, `members.url should be …`, `duplicated login: …`, `wrong time zone: …`; the likeliest name first. */
function namesIn(message: string): readonly string[] {
  const [, path] = /^'?(\w[\w.]*)'? (?:parameter |value )?(?:should|must|may|is|cannot)\b/.exec(message) ?? [];
  const [, subject] = /^(?:duplicated|wrong) ([\w ]+): /.exec(message) ?? [];
  if (path === undefined) return subject === undefined ? [] : [subject.replaceAll(' ', '_')];
  const parts = path.split('.');
  return [path, ...parts.slice(-1), ...parts.slice(0, 1)];
}
