// GET /stream-rule-command-templates and /stream-rule-command-templates/:id

import { TEMPLATES, templateOf } from '#detection/condition-templates.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { anyInt } from '#http/number-params.ts';
import { required } from '#http/params.ts';
import { arrayOf, int32, orNull, record, string } from '#http/shapes.ts';

const template = record('ConditionTemplate', {
  id: int32,
  name: string,
  field_type: orNull(string),
  description: string,
  config_specs: arrayOf(
    record({ name: string, type: string, subtype: orNull(string), display_name: string, description: string }),
  ),
  query: orNull(string),
  query2: orNull(string),
});

export const listTemplates = endpoint({
  title: 'List condition templates',
  notes: 'Ids are never reused; further templates may follow.',
  method: 'GET',
  path: '/api/core/stream-rule-command-templates',
  access: 'MEMBER',
  params: {},
  answer: record({ templates: arrayOf(template) }),

  run: async (_input, _needs: Call) => ({ templates: TEMPLATES }),
});

export const getTemplate = endpoint({
  title: 'Get condition template',
  method: 'GET',
  path: '/api/core/stream-rule-command-templates/:id',
  access: 'MEMBER',
  params: { id: required(anyInt) },
  answer: record({ template: orNull(template) }),

  run: async (input, _needs: Call) => ({ template: templateOf(input.id) ?? null }),
});
