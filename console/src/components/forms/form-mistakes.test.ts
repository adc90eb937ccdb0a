// Mistakes of a form: values that are absent, and what the service refuses, at the field that it names.

import { describe, expect, it } from 'vitest';
import { ServiceError, Unreachable } from '#console/client/service-error.ts';
import { en } from '#console/labels/en.ts';
import { ko } from '#console/labels/ko.ts';
import type { AnyField } from './form-field.ts';
import { absentValues, refusalOf, shownFields } from './form-mistakes.ts';

const text = (name: string, more: object = {}): AnyField => ({ kind: 'text', name, label: name, ...more });

describe('Required values', () => {
  const fields = [
    text('name', { isRequired: true }),
    text('note'),
    text('port', { isRequired: true, isShown: ({ kind }: { readonly kind?: string }) => kind === 'tcp' }),
  ];

  it.each([
    [{ name: 'x' }, {}],
    [{ name: ' 한 ' }, {}],
    [{ name: '' }, { name: en.form.required }],
    [{ name: ' \t' }, { name: en.form.required }],
    [{ name: [] }, { name: en.form.required }],
    [{}, { name: en.form.required }],
    // Values that look empty and are not.
    [{ name: 0 }, {}],
    [{ name: false }, {}],
    // A field that is hidden is not missed.
    [{ name: 'x', kind: 'tcp' }, { port: en.form.required }],
    [{ name: 'x', kind: 'udp' }, {}],
  ])('of %j', (draft, mistakes) => {
    expect(absentValues(fields, draft, en)).toEqual(mistakes);
  });

  it('are asked for in the language of the reader', () => {
    expect(absentValues(fields, {}, ko)).toEqual({ name: ko.form.required });
  });

  it('are looked for in the fields that are shown', () => {
    expect(shownFields(fields, {}).map(({ name }) => name)).toEqual(['name', 'note']);
  });
});

describe('A refusal of the service', () => {
  const fields = ['name', 'login', 'time_zone', 'members', 'url', 'members.url'].map((name) => text(name));
  const refused = (message: string, own = fields) =>
    Object.entries(refusalOf(new ServiceError(400, 'r', { error_code: 'invalid', error_msg: message }), own, en))[0];

  it.each([
    ["'name' must be shorter", 'name'],
    ['name should be not null', 'name'],
    ['name parameter should be string', 'name'],
    ['name value is too long', 'name'],
    ['name cannot be changed', 'name'],
    ['members.url should be a URL', 'members.url'],
    ['duplicated login: kim', 'login'],
    ['wrong time zone: Mars', 'time_zone'],
    // It names no field of the form.
    ['port should be a number', ''],
    ['duplicated guid: x', ''],
    ['something else', ''],
    ['한글 오류', ''],
  ])('%j is shown at the field %j', (message, field) => {
    expect(refused(message)?.[0]).toBe(field);
  });

  it('of a value inside of another is shown at the nearest field', () => {
    const without = (name: string) =>
      fields.filter((field) => !field.name.startsWith(name) || field.name === 'members');
    expect(refused('members.url should be a URL', fields.slice(0, 5))?.[0]).toBe('url');
    expect(
      refused(
        'members.url should be a URL',
        without('url').filter(({ name }) => !name.includes('.')),
      )?.[0],
    ).toBe('members');
  });

  it('says what the service says', () => {
    expect(refused('duplicated login: kim')).toEqual(['login', 'The name kim is taken.']);
    const error = new ServiceError(413, 'r', { error_code: 'request-too-large', error_msg: 'name should be short' });
    expect(refusalOf(error, fields, en)).toEqual({ name: 'The request is too large. name should be short' });
  });

  it('without an answer concerns the whole form', () => {
    expect(refusalOf(new Unreachable(), fields, en)).toEqual({ '': en.failures.unreachable });
  });
});
