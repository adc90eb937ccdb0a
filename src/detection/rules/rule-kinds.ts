// The two kinds of detection rules, and their names.

export const RULE_KINDS = ['batch', 'stream'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** How far people have looked at an event. */
export const EVENT_STATUSES = ['new', 'seen', 'closed', 'false-positive'] as const;

export const PRIORITIES = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const TICKET_CONDITIONS = ['NEVER', 'ETIR_THRESHOLD', 'ALWAYS'] as const;
export const SOURCE_TYPES = ['LOGGER', 'LOGGER_MODEL'] as const;

/** Kind in the tables of runs and failures. */
export const STREAM_RULE = 'stream-rule';

/** Term in messages. */
export const ruleTerm = (kind: RuleKind): string => `${kind} rule`;
