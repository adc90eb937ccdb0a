// Values and fields that several families have alike.

import { StatusBadge } from '#console/components/badge.tsx';
import type { FormField, Option } from '#console/components/forms/form-field.ts';
import styles from '#console/pages/administration/administration.module.css';
import type { Context, FormContext, Value } from '#console/pages/administration/family.ts';
import { Time } from '#console/time/time.tsx';

const TIME_WIDTH = '11.5rem';
export const NAME_WIDTH = 'minmax(10rem, 18rem)';
export const TEXT_WIDTH = 'minmax(12rem, 1fr)';

interface Named {
  readonly name: string;
}

export const nameValue = <R extends Named>({ labels }: Context): Value<R> => ({
  id: 'name',
  label: labels.common.name,
  width: NAME_WIDTH,
  show: ({ name }) => name,
  sortValue: ({ name }) => name,
});

export const descriptionValue = <R extends { readonly description?: string | null }>({
  labels,
}: Context): Value<R> => ({
  id: 'description',
  label: labels.administration.description,
  width: TEXT_WIDTH,
  isLong: true,
  show: ({ description }) => description,
});

/** The time of the last change is a column, that of the creation stands in the panel. */
export const timeValues = <R extends { readonly created?: string; readonly updated?: string }>({
  labels,
}: Context): readonly Value<R>[] => [
  {
    id: 'updated',
    label: labels.administration.updated,
    width: TIME_WIDTH,
    show: ({ updated }) => updated !== undefined && <Time at={updated} />,
    sortValue: ({ updated }) => updated,
  },
  {
    id: 'created',
    label: labels.administration.created,
    show: ({ created }) => created !== undefined && <Time at={created} />,
  },
];

export const countValue = <R,>(id: string, label: string, countOf: (record: R) => number): Value<R> => ({
  id,
  label,
  width: '6rem',
  align: 'end',
  show: (record) => String(countOf(record)),
  sortValue: countOf,
});

export const Texts = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.length > 0 && (
    <span className={styles.texts}>
      {texts.map((text) => (
        <StatusBadge key={text} tone="neutral">
          {text}
        </StatusBadge>
      ))}
    </span>
  );

export const namedFields = <D extends { readonly name: string; readonly description: string }>(
  { labels }: Context,
  maxName = 50,
) =>
  [
    { kind: 'text', name: 'name', label: labels.common.name, isRequired: true, maxLength: maxName },
    { kind: 'text', name: 'description', label: labels.administration.description, isLong: true, maxLength: 2000 },
  ] as unknown as readonly FormField<D>[]; // A draft with more names has these two.

export interface FolderDraft {
  readonly name: string;
  readonly description: string;
  readonly parent_guid: string;
}

/** The folder that a folder lies in: any other one. */
export const folderFields = (
  { labels }: Context,
  folders: readonly Option[],
  own: string | undefined,
): readonly FormField<FolderDraft>[] => [
  {
    kind: 'choice',
    name: 'parent_guid',
    label: labels.administration.folders.parent,
    options: folders.filter(({ value }) => value !== own),
    noneLabel: labels.administration.folders.top,
  },
];

export interface Grant {
  readonly guid: string;
  readonly read_only: boolean;
}

export interface Sharing {
  readonly shared_users: readonly Grant[];
  readonly shared_groups: readonly Grant[];
}

interface Shared {
  readonly shared_users?: readonly (Grant & Named)[];
  readonly shared_groups?: readonly (Grant & Named)[];
}

export const sharingOf = (record: Shared | undefined): Sharing => ({
  shared_users: record?.shared_users?.map(grantOf) ?? [],
  shared_groups: record?.shared_groups?.map(grantOf) ?? [],
});

const grantOf = ({ guid, read_only }: Grant): Grant => ({ guid, read_only });

/** Rows that have no holder yet are none. */
export const sentSharing = ({ shared_users, shared_groups }: Sharing): Sharing => ({
  shared_users: shared_users.filter(({ guid }) => guid !== ''),
  shared_groups: shared_groups.filter(({ guid }) => guid !== ''),
});

export const sharingFields = <D extends Sharing>({ labels, options }: FormContext) => {
  const { sharing } = labels.administration;
  const rows = (holders: readonly Option[]) => ({
    kind: 'rows',
    addLabel: labels.common.add,
    empty: { guid: '', read_only: true },
    fields: [
      { kind: 'choice', name: 'guid', label: sharing.holder, options: holders },
      { kind: 'switch', name: 'read_only', label: sharing.readOnly },
    ],
  });
  return [
    { name: 'shared_users', label: sharing.users, ...rows(options.users) },
    { name: 'shared_groups', label: sharing.groups, ...rows(options.groups) },
  ] as unknown as readonly FormField<D>[]; // A draft with more names has these two.
};

export const sharingFacts = <R extends Shared>({ labels }: Context): readonly Value<R>[] => {
  const { sharing } = labels.administration;
  const holders = (grants: readonly (Grant & Named)[] = []) => (
    <Texts texts={grants.map(({ name, read_only }) => (read_only ? `${name} · ${sharing.readOnly}` : name))} />
  );
  return [
    {
      id: 'shared_users',
      label: sharing.users,
      show: ({ shared_users }) => (shared_users?.length ?? 0) > 0 && holders(shared_users),
    },
    {
      id: 'shared_groups',
      label: sharing.groups,
      show: ({ shared_groups }) => (shared_groups?.length ?? 0) > 0 && holders(shared_groups),
    },
  ];
};
