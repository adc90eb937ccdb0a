// The language and the names of the service, for the editor and for changes of a text.

import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { useLanguage } from '#console/labels/labels.tsx';
import type { CommandKinds } from '#console/query-text/parts.ts';
import type { Names } from './completion.ts';
import { type Findings, findingsBehind } from './findings.ts';
import { behindLead, leadLength } from './lead.ts';
import { OWN_COMMANDS, withOwnCommands } from './own-commands.ts';
import { serviceNames } from './service-names.ts';

/** Empty until the catalogue has come. */
export function useCommandKinds(): CommandKinds {
  const { locale } = useLanguage();
  const { data } = useAnswer('GET /api/core/query-language', { locale });
  const { data: own } = useAnswer('GET /api/core/procedures', OWN_COMMANDS);
  return useMemo(() => {
    const catalogue = data && withOwnCommands(data, own?.procedures ?? []);
    return new Map(catalogue?.commands.map(({ name, kind }) => [name, kind]));
  }, [data, own]);
}

export function useNames(): Names {
  const client = useQueryClient();
  const { locale } = useLanguage();
  return useMemo(() => serviceNames(client, locale), [client, locale]);
}

/** Undefined where the service does not answer: the editor then marks nothing. */
export const checkText = (text: string, lead?: string): Promise<Findings | undefined> =>
  call('POST /api/core/queries/check', { q: behindLead(text, lead) })
    .then((findings) => findingsBehind(findings, leadLength(lead)))
    .catch(() => undefined);
