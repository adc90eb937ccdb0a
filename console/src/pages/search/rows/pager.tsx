// Pages of a long result: browsers cannot scroll over a million rows at once.

import { Button, IconButton } from '#console/components/button.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import styles from '#console/pages/search/search.module.css';
import { numberText } from '#console/time/numbers.ts';

export const PAGE_ROWS = 10_000;

interface PagerProps {
  readonly offset: number;
  readonly total: number;
  onPage(page: number): void;
}

/** Nothing where all rows are on one page. */
export function Pager({ offset, total, onPage }: PagerProps) {
  const { search: labels } = useLabels();
  const { locale } = useLanguage();
  if (total <= PAGE_ROWS) return undefined;
  const page = offset / PAGE_ROWS + 1;
  const last = Math.ceil(total / PAGE_ROWS);
  const text = (value: number) => numberText(value, locale);
  const isFirst = page === 1;
  const isLast = page === last;
  return (
    <nav className={styles.pager} aria-label={labels.rows}>
      <span>{labels.page(text(offset + 1), text(Math.min(total, offset + PAGE_ROWS)), text(total))}</span>
      <Button size="small" kind="quiet" disabled={isFirst} onClick={() => onPage(1)}>
        {labels.firstPage}
      </Button>
      <IconButton
        size="small"
        icon="chevronLeft"
        label={labels.previousPage}
        disabled={isFirst}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        size="small"
        icon="chevronRight"
        label={labels.nextPage}
        disabled={isLast}
        onClick={() => onPage(page + 1)}
      />
      <Button size="small" kind="quiet" disabled={isLast} onClick={() => onPage(last)}>
        {labels.lastPage}
      </Button>
    </nav>
  );
}
