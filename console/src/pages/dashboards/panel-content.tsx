// The rows of a panel in their form: a table, numbers or a chart.

import { failureText } from '#console/client/failure-text.ts';
import type { Limiter } from '#console/client/limiter.ts';
import { Aged } from '#console/components/aged.tsx';
import { Chart } from '#console/components/charts/chart.tsx';
import { chartDataAs } from '#console/components/charts/chart-data.ts';
import { Loading } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { ChangeQuestion } from '#console/results/change-question.tsx';
import { fieldsOf } from '#console/results/columns.ts';
import { changeIn } from '#console/results/refusal.ts';
import { type Row, valueText } from '#console/results/row.ts';
import { CellText } from '#console/results/stored-text.tsx';
import { numberText } from '#console/time/numbers.ts';
import type { Interval, TimeRange } from '#console/time/ranges.ts';
import type { PanelData } from './dashboard.ts';
import styles from './dashboards.module.css';
import { usePanelRows } from './panel-rows.ts';

/** Of panels and of the space between them. */
export const ROW_PIXELS = 52;
export const GAP_PIXELS = 12;
/** Header, padding and legend of a chart. */
const AROUND_PIXELS = 90;
const MAX_TABLE_ROWS = 200;

export interface PanelRun {
  readonly range: TimeRange;
  readonly round: number;
  readonly every: number;
  readonly limiter: Limiter;
}

interface PanelContentProps {
  readonly panel: PanelData;
  readonly run: PanelRun;
  onZoom(interval: Interval): void;
}

export function PanelContent({ panel, run, onZoom }: PanelContentProps) {
  const { query } = panel;
  const { answer, runByHand } = usePanelRows({ query, ...run });
  const refused = changeIn(answer.error);
  if (refused) return <ChangeQuestion text={query} refused={refused} isTextShown onRun={runByHand} />;
  if (answer.data !== undefined) {
    return (
      <Aged answers={[answer]}>
        <PanelRows panel={panel} rows={answer.data} onZoom={onZoom} />
      </Aged>
    );
  }
  return answer.error ? <PanelFailure error={answer.error} /> : <Loading lines={2} />;
}

function PanelFailure({ error }: { readonly error: unknown }) {
  const labels = useLabels();
  const isOfQuery = error instanceof Error && error.constructor === Error;
  const { text, detail } = isOfQuery
    ? { text: labels.dashboards.queryFailed, detail: error.message }
    : failureText(error, labels);
  return (
    <div className={styles.failure} role="alert">
      <p>{text}</p>
      {detail !== undefined && <code>{detail}</code>}
    </div>
  );
}

interface PanelRowsProps {
  readonly panel: PanelData;
  readonly rows: readonly Row[];
  onZoom(interval: Interval): void;
}

function PanelRows({ panel: { chart, title, h }, rows, onZoom }: PanelRowsProps) {
  const { dashboards: labels } = useLabels();
  const columns = fieldsOf([], rows);
  const data = chart === 'table' ? undefined : chartDataAs(chart, columns, rows);
  if (rows.length === 0) return <p className={styles.note}>{labels.noRows}</p>;
  if (!data || chart === 'table')
    return <PanelTable title={title} names={columns.map(({ name }) => name)} rows={rows} />;
  const height = Math.max(72, h * ROW_PIXELS + (h - 1) * GAP_PIXELS - AROUND_PIXELS);
  return <Chart title={title} data={data} height={height} form={chart} onZoom={onZoom} />;
}

interface PanelTableProps {
  readonly title: string;
  readonly names: readonly string[];
  readonly rows: readonly Row[];
}

function PanelTable({ title, names, rows }: PanelTableProps) {
  const { dashboards: labels } = useLabels();
  const { locale } = useLanguage();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A region that scrolls is reached by the keyboard.
    <section className={styles.table} aria-label={`${labels.charts.table}: ${title}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col" data-number={typeof rows[0]?.[name] === 'number'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_TABLE_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: Rows keep their places.
            <tr key={index}>
              {names.map((name) => (
                <td key={name} data-number={typeof row[name] === 'number'}>
                  <CellText text={valueText(row[name])} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_TABLE_ROWS && <p className={styles.note}>{labels.cut(numberText(MAX_TABLE_ROWS, locale))}</p>}
    </section>
  );
}
