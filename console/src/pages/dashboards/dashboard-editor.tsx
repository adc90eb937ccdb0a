// A dashboard while it is edited: nothing is stored until it is saved.

import { useState } from 'react';
import { failureText } from '#console/client/failure-text.ts';
import { Button } from '#console/components/button.tsx';
import { TimeRangePicker } from '#console/components/forms/time-range-picker.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { absoluteRange } from '#console/time/ranges.ts';
import { isAt } from '#console/unsaved/holds.ts';
import { isSameValue } from '#console/unsaved/same-value.ts';
import { useUnsaved } from '#console/unsaved/use-unsaved.ts';
import { type Dashboard, type Layout, type PanelData, rangeOfSpan, spanOfRange } from './dashboard.ts';
import { DashboardGrid } from './dashboard-grid.tsx';
import styles from './dashboards.module.css';
import { settled } from './grid.ts';
import { PanelForm } from './panel-form.tsx';
import { changeDashboard, useDashboardRefresh } from './use-dashboards.ts';

interface DashboardEditorProps {
  readonly dashboard: Dashboard;
  onDone(): void;
}

export function DashboardEditor({ dashboard, onDone }: DashboardEditorProps) {
  const { dashboards: texts } = useLabels();
  const draft = useDraft(dashboard, onDone);
  const { layout, setLayout } = draft;
  const [form, setForm] = useState<{ readonly panel: PanelData | undefined }>();
  return (
    <>
      <EditBar draft={draft} onAdd={() => setForm({ panel: undefined })} onCancel={onDone} />
      {draft.failure !== undefined && (
        <p className={styles.refusal} role="alert">
          {draft.failure}
        </p>
      )}
      {layout.panels.length === 0 && (
        <EmptyState icon="dashboards" title={texts.noPanelsTitle} text={texts.noPanelsText} />
      )}
      <DashboardGrid
        layout={layout}
        range={rangeOfSpan(layout.span)}
        round={0}
        every={0}
        editing={{ onLayout: setLayout, onEdit: (panel) => setForm({ panel }) }}
        onZoom={(interval) => setLayout({ ...layout, span: spanOfRange(absoluteRange(interval)) })}
      />
      {form && (
        <PanelForm
          layout={layout}
          panel={form.panel}
          onClose={() => setForm(undefined)}
          onSaved={(changed) => {
            setForm(undefined);
            setLayout(changed);
          }}
        />
      )}
    </>
  );
}

interface Draft {
  readonly layout: Layout;
  readonly failure: string | undefined;
  readonly isSending: boolean;
  setLayout(layout: Layout): void;
  save(): Promise<void>;
}

function useDraft(dashboard: Dashboard, onSaved: () => void): Draft {
  const labels = useLabels();
  const refresh = useDashboardRefresh();
  const [initial] = useState<Layout>(() => {
    const { columns, panels } = dashboard.layout;
    return { ...dashboard.layout, panels: settled(panels, columns) };
  });
  const [layout, setLayout] = useState(initial);
  const hold = useUnsaved(!isSameValue(layout, initial), {
    staysAt: (next) => isAt(next, '/dashboards', { edit: true, dashboard: dashboard.guid }),
  });
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  async function save() {
    setSending(true);
    try {
      await hold.during(changeDashboard(dashboard, { layout }));
      await refresh();
      showToast(labels.dashboards.saved(dashboard.name));
      onSaved();
    } catch (error) {
      const { text, detail } = failureText(error, labels);
      setFailure(detail === undefined ? text : `${text} ${detail}`);
      setSending(false);
    }
  }
  return { layout, failure, isSending, setLayout, save };
}

interface EditBarProps {
  readonly draft: Draft;
  onAdd(): void;
  onCancel(): void;
}

function EditBar({ draft: { layout, isSending, setLayout, save }, onAdd, onCancel }: EditBarProps) {
  const { dashboards: texts, common } = useLabels();
  return (
    <div className={styles.editBar} role="toolbar" aria-label={texts.edit}>
      <Button icon="plus" onClick={onAdd}>
        {texts.addPanel}
      </Button>
      <TimeRangePicker
        value={rangeOfSpan(layout.span)}
        onChange={(range) => setLayout({ ...layout, span: spanOfRange(range) })}
      />
      <span className={styles.note}>{texts.editHint}</span>
      <Button onClick={onCancel}>{common.cancel}</Button>
      <Button kind="primary" icon="check" disabled={isSending} onClick={() => void save()}>
        {common.save}
      </Button>
    </div>
  );
}
