// The header of a column: its menu, and its position among the others by dragging or by Alt and an arrow key.

import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { IconButton } from '#console/components/button.tsx';
import { Menu, MenuItems } from '#console/components/overlays/menu.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { useActions } from '#console/pages/search/actions.ts';
import { moved, placed } from '#console/results/columns.ts';
import styles from './rows.module.css';

/** Of what is dragged: files and texts of other programs are no columns. */
const COLUMN = 'application/x-vigil-column';

type Side = 'before' | 'behind';

export const PlainHeader = ({ name }: { readonly name: string }) => <span className={styles.headerName}>{name}</span>;

export function ColumnHeader({ name }: { readonly name: string }) {
  const { columns, setColumns } = useActions();
  const [side, setSide] = useState<Side>();

  function onDragOver(event: DragEvent<HTMLDivElement>) {
    if (!event.dataTransfer.types.includes(COLUMN)) return;
    event.preventDefault();
    setSide(sideOf(event));
  }

  function onDrop(event: DragEvent<HTMLDivElement>) {
    event.preventDefault();
    setSide(undefined);
    const dragged = event.dataTransfer.getData(COLUMN);
    const isBehind = sideOf(event) === 'behind';
    if (dragged !== '') setColumns(placed(columns, dragged, { target: name, isBehind }));
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: The menu and its keys do the same.
    <div
      className={styles.columnHeader}
      data-drop={side}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(COLUMN, name)}
      onDragOver={onDragOver}
      onDragLeave={() => setSide(undefined)}
      onDrop={onDrop}
    >
      <span className={styles.headerName} title={name}>
        {name}
      </span>
      <ColumnMenu name={name} />
    </div>
  );
}

function sideOf({ currentTarget, clientX }: DragEvent<HTMLDivElement>): Side {
  const { left, width } = currentTarget.getBoundingClientRect();
  return clientX > left + width / 2 ? 'behind' : 'before';
}

function ColumnMenu({ name }: { readonly name: string }) {
  const { search } = useLabels();
  const { columns, setColumns } = useActions();
  const index = columns.indexOf(name);

  function onKeyDown(event: KeyboardEvent) {
    const step = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key];
    if (!event.altKey || step === undefined) return;
    event.preventDefault();
    setColumns(moved(columns, name, step));
  }

  return (
    <Menu trigger={<IconButton size="small" icon="chevronDown" label={search.column(name)} onKeyDown={onKeyDown} />}>
      <MenuItems
        items={[
          {
            label: search.moveLeft,
            icon: 'chevronLeft',
            end: 'Alt ←',
            isDisabled: index <= 0,
            onSelect: () => setColumns(moved(columns, name, -1)),
          },
          {
            label: search.moveRight,
            icon: 'chevronRight',
            end: 'Alt →',
            isDisabled: index === columns.length - 1,
            onSelect: () => setColumns(moved(columns, name, 1)),
          },
          {
            label: search.removeColumn,
            icon: 'close',
            isDisabled: columns.length === 1,
            onSelect: () => setColumns(columns.filter((one) => one !== name)),
          },
          { label: search.resetColumns, icon: 'columns', onSelect: () => setColumns(undefined) },
        ]}
      />
    </Menu>
  );
}
