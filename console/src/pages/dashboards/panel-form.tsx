// A panel that is added or changed: its query, its form and its time range.

import { FormDialog } from '#console/components/forms/form.tsx';
import type { FormField } from '#console/components/forms/form-field.ts';
import { QueryControl } from '#console/components/query-editor/query-field.tsx';
import type { Labels } from '#console/labels/en.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { LENGTHS } from '#console/time/ranges.ts';
import { CHARTS, type Layout, type PanelData, rangeOfSpan, spanOfRange } from './dashboard.ts';
import { bottomOf, MIN_HEIGHT, settled } from './grid.ts';

interface Draft {
  readonly title: string;
  readonly query: string;
  readonly chart: string;
  /** A length before now; empty for the range of the dashboard, `own` for the one that the panel has. */
  readonly span: string;
  readonly w: number | undefined;
  readonly h: number | undefined;
}

const OWN_SPAN = 'own';
const NEW_PANEL = { title: '', query: '', chart: 'line', w: 6, h: 5 };
const MAX_TITLE = 255;
const MAX_HEIGHT = 100;

interface PanelFormProps {
  readonly layout: Layout;
  /** Undefined for a new one. */
  readonly panel: PanelData | undefined;
  onClose(): void;
  onSaved(layout: Layout): void;
}

export function PanelForm({ layout, panel, onClose, onSaved }: PanelFormProps) {
  const labels = useLabels();
  return (
    <FormDialog
      title={panel ? labels.dashboards.editPanelTitle : labels.dashboards.addPanel}
      isWide
      submitLabel={labels.common.apply}
      fields={fieldsOf(labels, layout, panel)}
      initial={draftOf(panel)}
      onClose={onClose}
      onSubmit={async (draft) => onSaved(withPanel(layout, panel, draft))}
    />
  );
}

const draftOf = (panel: PanelData | undefined): Draft => {
  const { title, query, chart, w, h } = panel ?? NEW_PANEL;
  return { title, query, chart, w, h, span: spanText(panel) };
};

function spanText(panel: PanelData | undefined): string {
  if (!panel?.span) return '';
  const length = rangeOfSpan(panel.span).from.replace('now-', '');
  return LENGTHS.find((one) => one === length) ?? OWN_SPAN;
}

function fieldsOf(
  { dashboards: labels, range }: Labels,
  { columns }: Layout,
  panel: PanelData | undefined,
): readonly FormField<Draft>[] {
  const own = spanText(panel) === OWN_SPAN ? [{ value: OWN_SPAN, label: labels.ownSpan }] : [];
  return [
    { kind: 'text', name: 'title', label: labels.title, maxLength: MAX_TITLE },
    {
      kind: 'own',
      name: 'query',
      label: labels.query,
      isRequired: true,
      control: ({ value, onChange }) => <QueryControl label={labels.query} text={value} onChange={onChange} />,
    },
    {
      kind: 'choice',
      name: 'chart',
      label: labels.chart,
      options: CHARTS.map((value) => ({ value, label: labels.charts[value] })),
    },
    {
      kind: 'choice',
      name: 'span',
      label: range.label,
      noneLabel: labels.dashboardSpan,
      options: [...LENGTHS.map((value) => ({ value, label: range.last[value] })), ...own],
    },
    { kind: 'number', name: 'w', label: labels.width, isRequired: true, min: 1, max: columns },
    { kind: 'number', name: 'h', label: labels.height, isRequired: true, min: MIN_HEIGHT, max: MAX_HEIGHT },
  ];
}

function withPanel(layout: Layout, panel: PanelData | undefined, draft: Draft): Layout {
  const { columns, panels } = layout;
  const id = panel?.id ?? crypto.randomUUID();
  const { span: before, ...kept } = panel ?? { x: 0, y: bottomOf(panels), span: undefined };
  const span = draft.span === OWN_SPAN ? before : spanOf(draft.span);
  const made: PanelData = {
    ...kept,
    id,
    title: draft.title,
    query: draft.query,
    chart: CHARTS.find((one) => one === draft.chart) ?? 'table',
    w: draft.w ?? NEW_PANEL.w,
    h: draft.h ?? NEW_PANEL.h,
    ...(span ? { span } : {}),
  };
  const others = panels.map((one) => (one.id === id ? made : one));
  return { ...layout, panels: [...settled(panel ? others : [...others, made], columns, id)] };
}

const spanOf = (length: string) => (length === '' ? undefined : spanOfRange({ from: `now-${length}`, to: 'now' }));
