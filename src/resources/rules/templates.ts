// GET /stream-rule-command-templates and /stream-rule-command-templates/:id

import { TEMPLATES, templateOf } from '#detection/rules/condition-templates.ts';
import { arrayOf, choice, int32, orNull, record, string } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { anyInt } from '#operations/params/number-params.ts';
import { required } from '#operations/params/params.ts';

const template = record('ConditionTemplate', {
  id: int32('Id of the template, never used again for another one.'),
  name: string('Name of the template.', 'Match IP'),
  field_type: orNull(string)('Type of the fields that the template fits; null where it fits any.', 'IP'),
  description: string('Meaning of the condition.', 'The field is this address.'),
  config_specs: arrayOf(
    record({
      name: string('Name of the argument.', 'ip'),
      type: choice(['string', 'number', 'array'])('Type of the argument.', 'string'),
      subtype: orNull(choice(['ip', 'subnet', 'date', 'country', 'port_group']))(
        'Hint for the input of the argument; null where there is none.',
        'ip',
      ),
      display_name: string('Name of the argument, for people.', 'Address'),
      description: string('Meaning of the argument, for people.', 'The address to match.'),
    }),
  )('Arguments that a condition gives.'),
  query: orNull(string)(
    'Query of the plain condition; null where the condition gives its own.',
    'search $field$ == ip($ip$)',
  ),
  query2: orNull(string)(
    'Query of the inverted condition; null where the condition gives its own.',
    'search $field$ != ip($ip$)',
  ),
});

export const listTemplates = endpoint({
  title: 'List condition templates',
  notes: 'Ids are never reused; further templates may follow.',
  method: 'GET',
  path: '/api/core/stream-rule-command-templates',
  access: 'MEMBER',
  params: {},
  answer: record({ templates: arrayOf(template)('All templates.') }),

  run: async (_input, _needs: Call) => ({ templates: TEMPLATES }),
});

export const getTemplate = endpoint({
  title: 'Get condition template',
  method: 'GET',
  path: '/api/core/stream-rule-command-templates/:id',
  access: 'MEMBER',
  params: { id: required(anyInt, 'Id of the template.') },
  answer: record({ template: orNull(template)('The template; null where none has this id.') }),

  run: async (input, _needs: Call) => ({ template: templateOf(input.id) ?? null }),
});
