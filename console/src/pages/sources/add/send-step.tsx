// Step four: what is pasted at the sender, with a key that can send logs and nothing else. It ends with the first log.

import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { Button } from '#console/components/button.tsx';
import { copyText } from '#console/components/copy-text.ts';
import { useLabels } from '#console/labels/labels.tsx';
import type { Logger } from '#console/pages/sources/sources-search.ts';
import styles from './add.module.css';
import { FirstLog } from './first-log.tsx';
import { KINDS, type KindId } from './kinds.ts';
import { PushKey } from './push-key.tsx';
import { SNIPPETS, type SnippetValues } from './snippets.ts';

interface SendStepProps {
  readonly kind: KindId;
  readonly parser: string;
  readonly table: string;
  readonly logger: string | undefined;
  onDone(): void;
}

const REFRESH_MS = 3000;

export function SendStep({ kind, parser, table, logger: guid, onDone }: SendStepProps) {
  const { sources: labels } = useLabels();
  const [key, setKey] = useState<string>();
  const { data } = useAnswer(
    'GET /api/core/loggers/:guid',
    { guid: guid ?? '' },
    { every: REFRESH_MS, isEnabled: guid !== undefined },
  );
  const { protocol, factories } = KINDS[kind];
  const isPushed = factories.length === 0;
  const logger = data?.logger ?? undefined;
  return (
    <div className={styles.step}>
      {logger?.failure != null && (
        <p className={styles.failure} role="alert">
          {labels.loggerFails(logger.failure)}
        </p>
      )}
      {protocol !== undefined && <p className={styles.note}>{labels.needsProtocol(protocol)}</p>}
      {isPushed && <PushKey table={table} apiKey={key} onMade={setKey} />}
      <Snippets
        kind={kind}
        values={valuesOf({ key, table, parser, logger })}
        factory={logger?.logger_factory_name ?? ''}
      />
      {kind === 'file' && <p>{labels.fileText}</p>}
      <FirstLog table={table} onDone={onDone} />
    </div>
  );
}

interface Choices {
  readonly key: string | undefined;
  readonly table: string;
  readonly parser: string;
  readonly logger: Logger | undefined;
}

/** The service as this browser reaches it. */
function valuesOf({ key = 'KEY', table, parser, logger }: Choices): SnippetValues {
  const { origin, hostname, port, protocol } = location;
  const isTls = protocol === 'https:';
  return {
    url: origin,
    host: hostname,
    port: port === '' ? (isTls ? '443' : '80') : port,
    isTls,
    key,
    table,
    parser,
    loggerPort: String(logger?.configs?.port ?? ''),
  };
}

interface SnippetsProps {
  readonly kind: KindId;
  readonly values: SnippetValues;
  readonly factory: string;
}

function Snippets({ kind, values, factory }: SnippetsProps) {
  const labels = useLabels();
  return SNIPPETS[kind]
    .filter(({ fits }) => fits?.({ ...values, factory }) ?? true)
    .map((snippet) => {
      const text = snippet.text(values);
      return (
        <section key={snippet.title} className={styles.snippet} aria-label={snippet.title}>
          <header>
            <h3>{snippet.title}</h3>
            <Button size="small" icon="copy" onClick={() => void copyText(text, labels)}>
              {labels.common.copy}
            </Button>
          </header>
          <pre>{text}</pre>
        </section>
      );
    });
}
