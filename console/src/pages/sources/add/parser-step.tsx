// Step two: the parser, tried on real lines before anything is stored.

import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { failureText } from '#console/client/failure-text.ts';
import { Button } from '#console/components/button.tsx';
import { Field, TextField } from '#console/components/forms/field.tsx';
import { Select } from '#console/components/forms/select.tsx';
import { LinesInput, linesOf } from '#console/components/parser-preview/lines-input.tsx';
import { ParserPreview } from '#console/components/parser-preview/parser-preview.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './add.module.css';
import { KINDS, type KindId } from './kinds.ts';
import { type ParserDraft, parserOptions, previewedOf } from './parser-draft.ts';

interface ParserStepProps {
  readonly kind: KindId;
  readonly chosen: string | undefined;
  onChoose(parser: string): void;
}

const ALL = { limit: 10_000 };

export function ParserStep({ kind, chosen, onChoose }: ParserStepProps) {
  const { sources: labels } = useLabels();
  const { sends, parser: usual } = KINDS[kind];
  const stored = useAnswer('GET /api/core/parsers', ALL);
  const [text, setText] = useState('');
  const [draft, setDraft] = useState<ParserDraft>({ parser: chosen ?? usual, code: '', pattern: '', columns: '' });
  const { previewed, failure, submit } = useChosenParser(draft, onChoose);
  const change = (changed: Partial<ParserDraft>) => setDraft((before) => ({ ...before, ...changed }));
  const lines = linesOf(text);
  return (
    <form
      className={styles.step}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className={styles.note}>{sends === 'lines' ? labels.parserText : labels.recordsText}</p>
      {sends === 'lines' && (
        <Field label={labels.parser}>
          {(ids) => (
            <Select
              {...ids}
              label={labels.parser}
              value={draft.parser}
              options={parserOptions(stored.data?.parsers ?? [], labels)}
              onChange={(parser) => change({ parser })}
            />
          )}
        </Field>
      )}
      <OwnParser draft={draft} onChange={change} />
      <LinesInput text={text} onChange={setText} />
      {previewed && lines.length > 0 && <ParserPreview lines={lines} parser={previewed.parser} />}
      {failure !== undefined && (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" disabled={!previewed || (previewed.isNew && draft.code === '')}>
          {labels.next}
        </Button>
      </div>
    </form>
  );
}

/** A parser that is new is stored before it is chosen. */
function useChosenParser(draft: ParserDraft, onChoose: (parser: string) => void) {
  const labels = useLabels();
  const [failure, setFailure] = useState<string>();
  const previewed = previewedOf(draft);
  async function submit() {
    try {
      if (previewed?.isNew) {
        await call('POST /api/core/parsers', { code: draft.code, name: draft.code, ...previewed.parser });
      }
      onChoose(previewed?.isNew ? draft.code : draft.parser);
    } catch (error) {
      setFailure(failureText(error, labels).text);
    }
  }
  return { previewed, failure, submit };
}

interface OwnParserProps {
  readonly draft: ParserDraft;
  onChange(changed: Partial<ParserDraft>): void;
}

/** A pattern or the names of columns make a new parser. */
function OwnParser({ draft: { parser, code, pattern, columns }, onChange }: OwnParserProps) {
  const { sources: labels } = useLabels();
  if (parser !== 'regex' && parser !== 'csv') return undefined;
  return (
    <div className={styles.pair}>
      {parser === 'regex' ? (
        <TextField
          label={labels.pattern}
          hint={labels.patternHint}
          value={pattern}
          spellCheck={false}
          onChange={(next) => onChange({ pattern: next })}
        />
      ) : (
        <TextField
          label={labels.columns}
          hint={labels.columnsHint}
          value={columns}
          spellCheck={false}
          onChange={(next) => onChange({ columns: next })}
        />
      )}
      <TextField
        label={labels.parserCode}
        hint={labels.parserCodeHint}
        maxLength={50}
        value={code}
        onChange={(next) => onChange({ code: next })}
      />
    </div>
  );
}
