// A rule in the editor: how it comes in, and what is sent of it.

import { describe, expect, it } from 'vitest';
import { FREE_TEXT, newCondition } from './conditions.ts';
import { draftOf, newDraft, requestOf } from './draft.ts';
import { referenceOptions } from './reference-options.ts';

const RULE = {
  name: 'n',
  msg: 'm',
  priority: 'HIGH',
  schema_code: 'web',
  commands: [{ template_id: 4, field_name: 'action', args: { values: ['a', 1], min: 5 }, query: 'q', invert: true }],
  mitre_techniques: [{ mitre_id: 'T1', name: 'x' }, 'T2'],
  mitre_tactics: null,
  category_guid: null,
  comment: 'of the version',
};

describe('A rule in the editor', () => {
  it('is sent as it came in, references that are not set left out', () => {
    const sent = requestOf('stream', draftOf(RULE, true));
    expect(sent).toMatchObject({ name: 'n', priority: 'HIGH', enabled: true, mitre_techniques: ['T1', 'T2'] });
    expect(sent.commands).toEqual([
      { template_id: 4, field_name: 'action', args: { values: ['a', '1'], min: '5' }, invert: true, ordinal: 1 },
    ]);
    expect(Object.keys(sent)).not.toEqual(expect.arrayContaining(['category_guid']));
    expect(Object.keys(sent)).not.toEqual(expect.arrayContaining(['mitre_tactics']));
  });

  it('begins without the comment of its last version', () => expect(draftOf(RULE, true).comment).toBe(''));

  it('has only the fields of its kind', () => {
    const [stream, batch] = (['stream', 'batch'] as const).map((kind) => requestOf(kind, newDraft()));
    expect(stream).toMatchObject({ source_type: 'LOGGER', commands: [{ template_id: FREE_TEXT }] });
    expect(batch).toMatchObject({ schedule: '*/5 * * * *', duration: 900 });
    expect(Object.keys({ ...stream })).not.toContain('schedule');
    expect(Object.keys({ ...batch })).not.toContain('commands');
  });

  it('keeps numbers that are 0, and sends a truncation as a number', () => {
    expect(requestOf('batch', { ...newDraft(), datetrunc: '60', event_suppress_interval: 0 })).toMatchObject({
      datetrunc: 60,
      event_suppress_interval: 0,
    });
    expect(draftOf({ datetrunc: 3600 }, false).datetrunc).toBe('3600');
  });

  it('without a duration is one whose query names its times itself', () => {
    expect(requestOf('batch', draftOf({ schedule: '* * * * *' }, false)).duration).toBeUndefined();
  });

  it('without conditions has none', () => expect(draftOf({ name: 'x' }, false).commands).toEqual([]));
});

describe('A condition', () => {
  it('of free text is sent with its query, one of a template without', () => {
    const conditions = [
      { ...newCondition(1), query: 'search 상태 == "x | y"' },
      { ...newCondition(2), template_id: 4, field_name: 'f', query: 'made by the service' },
    ];
    expect(requestOf('stream', { ...newDraft(), commands: conditions }).commands).toEqual([
      { template_id: 1, invert: false, ordinal: 1, query: 'search 상태 == "x | y"' },
      { template_id: 4, invert: false, ordinal: 2, field_name: 'f', args: {} },
    ]);
  });
});

describe('The options of a reference', () => {
  const loggers = [
    { guid: '1', name: 'web' },
    { guid: '2', name: '방화벽' },
  ];
  const goneLabel = (name: string) => `${name} (gone)`;
  const labels = (rule: object, field: string) =>
    referenceOptions(loggers, { rule: { ...rule }, field, goneLabel }).map(({ label }) => label);

  it('are the objects that there are', () => {
    expect(labels({ logger_guids: ['1'] }, 'logger_guids')).toEqual(['web', '방화벽']);
    expect(labels({}, 'logger_guids')).toEqual(['web', '방화벽']);
  });

  it('have what the rule refers to and has gone first, by the name that was kept', () => {
    const rule = { logger_guids: ['1', '8', '9'], logger_names: ['web', 'old', null] };
    expect(labels(rule, 'logger_guids')).toEqual(['old (gone)', '9 (gone)', 'web', '방화벽']);
    expect(labels({ dataset_guid: '7', dataset_name: 'set' }, 'dataset_guid')).toEqual(['set (gone)', 'web', '방화벽']);
  });
});
