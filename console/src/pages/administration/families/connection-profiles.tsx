// Connection profiles: databases and hosts that queries may use. Password and headers are stored sealed and never shown.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import type { FormField } from '#console/components/forms/form-field.ts';
import { defineFamily, type FormContext, listed } from '#console/pages/administration/family.ts';
import { ConnectionTest } from './connection-test.tsx';
import {
  descriptionValue,
  namedFields,
  nameValue,
  type Sharing,
  sentSharing,
  sharingFacts,
  sharingFields,
  sharingOf,
  Texts,
  timeValues,
} from './values.tsx';

type Listed = AnswerFor<'GET /api/core/connection-profiles'>['connection_profiles'][number];
export type Profile = NonNullable<AnswerFor<'GET /api/core/connection-profiles/:guid'>['connection_profile']>;
type Kind = Profile['kind'];
type Tls = NonNullable<Profile['tls']>;

const KINDS: readonly Kind[] = ['postgresql', 'mysql', 'http'];
const TLS_MODES: readonly Tls[] = ['verify', 'require', 'off'];
const MAX_BYTES = 268_435_456;

interface Header {
  readonly name: string;
  readonly value: string;
}

interface Draft extends Sharing {
  readonly name: string;
  readonly description: string;
  readonly kind: Kind;
  readonly host: string;
  readonly port: number | undefined;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly zone: string;
  readonly tls: Tls;
  readonly url: string;
  readonly headers: readonly Header[];
  readonly drops_headers: boolean;
  readonly ca: string;
  readonly writable: boolean;
  readonly timeout: number | undefined;
  readonly max_rows: number | undefined;
  readonly max_bytes: number | undefined;
  readonly max_connections: number | undefined;
}

export const connectionProfiles = defineFamily<Listed, Profile, Draft>({
  id: 'connection-profiles',
  readers: 'MEMBER',
  writers: 'ADMIN',
  needs: ['users', 'groups'],
  list: listed('GET /api/core/connection-profiles', (answer) => answer.connection_profiles),
  get: async (guid) => (await call('GET /api/core/connection-profiles/:guid', { guid })).connection_profile,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values: (context) => {
    const { connections } = context.labels.administration;
    return [
      nameValue(context),
      { id: 'kind', label: connections.kind, width: '7.5rem', show: ({ kind }) => kind },
      {
        id: 'target',
        label: connections.host,
        width: 'minmax(12rem, 1fr)',
        show: ({ host, port, url }) => url ?? (host === undefined ? undefined : `${host}:${port}`),
      },
      descriptionValue(context),
      ...timeValues<Listed>(context),
    ];
  },
  facts(context) {
    const { connections: names } = context.labels.administration;
    const { yes, no } = context.labels.common;
    const flag = (value: boolean | undefined) => value !== undefined && (value ? yes : no);
    return [
      { id: 'database', label: names.database, show: ({ database }) => database },
      { id: 'user', label: names.user, show: ({ user }) => user },
      { id: 'password', label: names.hasPassword, show: ({ has_password }) => flag(has_password) },
      { id: 'zone', label: names.zone, show: ({ zone }) => zone },
      { id: 'tls', label: names.tls, show: ({ tls }) => tls && names.tlsModes[tls] },
      {
        id: 'headers',
        label: names.headers,
        show: ({ header_names = [] }) => header_names.length > 0 && <Texts texts={header_names} />,
      },
      { id: 'writable', label: names.writable, show: ({ writable }) => flag(writable) },
      { id: 'timeout', label: names.timeout, show: ({ timeout }) => timeout?.toString() },
      { id: 'max_rows', label: names.maxRows, show: ({ max_rows }) => max_rows?.toString() },
      { id: 'max_bytes', label: names.maxBytes, show: ({ max_bytes }) => max_bytes?.toString() },
      {
        id: 'max_connections',
        label: names.maxConnections,
        show: ({ max_connections }) => max_connections?.toString(),
      },
      ...sharingFacts<Profile>(context),
    ];
  },
  fields,
  draftOf,
  create: async (draft) => ({
    key: (await call('POST /api/core/connection-profiles', { kind: draft.kind, ...bodyOf(draft) })).guid,
  }),
  update: (guid, draft) => call('PUT /api/core/connection-profiles/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids, { isDryRun }) => call('DELETE /api/core/connection-profiles', { guids, dry_run: isDryRun }),
  hasDryRun: true,
  Actions: ConnectionTest,
});

const isDatabase = ({ kind }: Draft): boolean => kind !== 'http';
const isHttp = ({ kind }: Draft): boolean => kind === 'http';

function fields(context: FormContext, profile: Profile | undefined): readonly FormField<Draft>[] {
  const { connections: names } = context.labels.administration;
  return [
    ...namedFields<Draft>(context),
    {
      kind: 'choice',
      name: 'kind',
      label: names.kind,
      options: KINDS.map((value) => ({ value, label: value })),
      isShown: () => profile === undefined,
    },
    ...databaseFields(context, profile),
    { kind: 'text', name: 'url', label: names.url, isRequired: true, placeholder: 'https://', isShown: isHttp },
    ...headerFields(context, profile),
    { kind: 'text', name: 'ca', label: names.ca, isLong: true, maxLength: 65_536 },
    { kind: 'switch', name: 'writable', label: names.writable },
    { kind: 'number', name: 'timeout', label: names.timeout, min: 1, max: 3600 },
    { kind: 'number', name: 'max_rows', label: names.maxRows, min: 1, max: 10_000_000 },
    { kind: 'number', name: 'max_bytes', label: names.maxBytes, min: 1 },
    { kind: 'number', name: 'max_connections', label: names.maxConnections, min: 1, max: 16 },
    ...sharingFields<Draft>(context),
  ];
}

function databaseFields({ labels }: FormContext, profile: Profile | undefined): readonly FormField<Draft>[] {
  const { connections: names } = labels.administration;
  return [
    { kind: 'text', name: 'host', label: names.host, isRequired: true, maxLength: 255, isShown: isDatabase },
    { kind: 'number', name: 'port', label: names.port, min: 1, max: 65_535, isShown: isDatabase },
    { kind: 'text', name: 'database', label: names.database, isRequired: true, maxLength: 255, isShown: isDatabase },
    { kind: 'text', name: 'user', label: names.user, isRequired: true, maxLength: 255, isShown: isDatabase },
    {
      kind: 'secret',
      name: 'password',
      label: names.password,
      maxLength: 1000,
      isStored: profile?.has_password === true,
      isShown: isDatabase,
    },
    { kind: 'text', name: 'zone', label: names.zone, hint: names.zoneHint, maxLength: 50, isShown: isDatabase },
    {
      kind: 'choice',
      name: 'tls',
      label: names.tls,
      options: TLS_MODES.map((value) => ({ value, label: names.tlsModes[value] })),
      isShown: isDatabase,
    },
  ];
}

function headerFields({ labels }: FormContext, profile: Profile | undefined): readonly FormField<Draft>[] {
  const { connections: names } = labels.administration;
  const hasHeaders = (profile?.header_names?.length ?? 0) > 0;
  return [
    {
      kind: 'rows',
      name: 'headers',
      label: names.headers,
      hint: names.headersHint,
      addLabel: names.addHeader,
      empty: { name: '', value: '' },
      fields: [
        { kind: 'text', name: 'name', label: names.headerName },
        { kind: 'secret', name: 'value', label: names.headerValue },
      ],
      isShown: isHttp,
    },
    {
      kind: 'switch',
      name: 'drops_headers',
      label: names.dropHeaders,
      isShown: (draft) => isHttp(draft) && hasHeaders && draft.headers.length === 0,
    },
  ];
}

function draftOf(profile: Profile | undefined): Draft {
  return {
    name: profile?.name ?? '',
    description: profile?.description ?? '',
    kind: profile?.kind ?? 'postgresql',
    host: profile?.host ?? '',
    port: profile?.port,
    database: profile?.database ?? '',
    user: profile?.user ?? '',
    password: '',
    zone: profile?.zone ?? '',
    tls: profile?.tls ?? 'verify',
    url: profile?.url ?? '',
    headers: [],
    drops_headers: false,
    ca: profile?.ca ?? '',
    writable: profile?.writable ?? false,
    timeout: profile?.timeout ?? 60,
    max_rows: profile?.max_rows ?? 1_000_000,
    max_bytes: profile?.max_bytes ?? MAX_BYTES,
    max_connections: profile?.max_connections ?? 4,
    ...sharingOf(profile),
  };
}

function bodyOf(draft: Draft) {
  const { name, description, host, port, database, user, password, zone, tls, url, headers, ca } = draft;
  const { drops_headers, writable, timeout, max_rows, max_bytes, max_connections } = draft;
  const optional = present({ description, ca, timeout, max_rows, max_bytes, max_connections });
  const common = { name, writable, ...optional, ...sentSharing(draft) };
  if (isHttp(draft)) {
    const sent = headers.length > 0 || drops_headers;
    return {
      ...common,
      url,
      ...(sent ? { headers: Object.fromEntries(headers.map((one) => [one.name, one.value])) } : {}),
    };
  }
  return { ...common, host, database, user, tls, ...present({ port, password, zone }) };
}
