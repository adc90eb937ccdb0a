// Home: the tables of the service and their sizes.

import { useAnswer } from '#console/client/answers.ts';
import { PageFrame, Panel } from '#console/components/page-frame.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { byteText } from '#console/time/numbers.ts';

export function Home() {
  const labels = useLabels();
  const tables = useAnswer('GET /api/core/tables', {}, { every: 30_000 });
  return (
    <PageFrame title={labels.pages.home}>
      <Panel title={labels.pages.tables}>
        <Answered answer={tables}>
          {(answer) => (
            <dl>
              {answer.tables.map((table) => (
                <div key={table.table_name}>
                  <dt>{table.table_name}</dt>
                  <dd>{byteText(table.table_size)}</dd>
                </div>
              ))}
            </dl>
          )}
        </Answered>
      </Panel>
    </PageFrame>
  );
}
