// The operations of rules: the same for both kinds.

import type { RuleKind } from '#detection/rules/rule-kinds.ts';
import { backfill, cancelBackfill } from './backfill.ts';
import { create } from './create.ts';
import { gaps } from './gaps.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { remove } from './remove.ts';
import { restore } from './restore.ts';
import { run } from './run.ts';
import { slots } from './slots.ts';
import { disable, enable } from './switch.ts';
import { getTemplate, listTemplates } from './templates.ts';
import { test } from './test.ts';
import { update } from './update.ts';
import { diffVersions, getVersion, versions } from './versions.ts';

const operationsOf = <K extends RuleKind>(kind: K) =>
  [
    list(kind),
    get(kind),
    create(kind),
    update(kind),
    remove(kind),
    enable(kind),
    disable(kind),
    versions(kind),
    getVersion(kind),
    diffVersions(kind),
    restore(kind),
  ] as const;

export const batchRules = [...operationsOf('batch'), run, slots, gaps, backfill, cancelBackfill] as const;
export const streamRules = [...operationsOf('stream'), test] as const;
export const conditionTemplates = [listTemplates, getTemplate] as const;
