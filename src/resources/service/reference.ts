// GET /openapi.json and GET /docs: the reference, generated from the declarations of all operations.

import { map, string } from '#operations/answers/shapes.ts';
import { Answer, endpoint } from '#operations/endpoint.ts';
import type { JsonObject } from '#operations/params/json-params.ts';

export interface Reference {
  openapi(): Promise<JsonObject>;
  /** A page without external resources, with its content security policy. */
  page(): Promise<{ html: string; policy: string }>;
}

export const openapi = endpoint({
  title: 'Get OpenAPI document',
  method: 'GET',
  path: '/openapi.json',
  access: 'none',
  params: {},
  answer: map,

  run: (_input, { reference }: { reference: Reference }) => reference.openapi(),
});

export const docs = endpoint({
  title: 'Get reference page',
  method: 'GET',
  path: '/docs',
  access: 'none',
  params: {},
  answer: string,
  answerType: 'text/html',

  async run(_input, { reference }: { reference: Reference }) {
    const { html, policy } = await reference.page();
    return new Answer(html, {
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
    });
  },
});
