// The properties of a table: how its files are stored, under which key, and since when.

import { Fact, Facts } from '#console/components/record-panel.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { byteText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import type { TableRecord } from './tables-search.ts';

export function TableFacts({ table }: { readonly table: TableRecord }) {
  const { tables: labels } = useLabels();
  const { locale } = useLanguage();
  const share = table.ratio.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <Facts>
      <Fact name={labels.retention}>{table.retention === 0 ? labels.unlimited : labels.days(table.retention)}</Fact>
      <Fact name={labels.size}>{labels.sizes(byteText(table.table_size), byteText(table.index_size), share)}</Fact>
      {table.min_day !== undefined && table.max_day !== undefined && (
        <Fact name={labels.stored}>
          {table.min_day.slice(0, 10)} – {table.max_day.slice(0, 10)}
        </Fact>
      )}
      <Fact name={labels.storage}>
        {labels.storages(labels.layouts[table.layout], labels.codecs[table.compression])}
      </Fact>
      <Fact name={labels.key}>
        {table.encrypted ? labels.keyOf(table.crypto_profile_name ?? table.crypto_profile_guid ?? '') : labels.noKey}
      </Fact>
      {table.schema_code !== undefined && <Fact name={labels.schema}>{table.schema_code}</Fact>}
      {table.group_name !== undefined && <Fact name={labels.group}>{table.group_name}</Fact>}
      <Fact name={labels.expectEvery}>
        {table.expect_every === 0 ? labels.notExpected : labels.seconds(table.expect_every)}
      </Fact>
      {table.silent_since !== null && (
        <Fact name={labels.silent}>
          <Time at={table.silent_since} />
        </Fact>
      )}
      {table.alarm_group_name != null && <Fact name={labels.alarmGroup}>{table.alarm_group_name}</Fact>}
    </Facts>
  );
}
