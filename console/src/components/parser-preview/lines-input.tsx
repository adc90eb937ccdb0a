// Lines to try a parser on: pasted, or the beginning of a file.

import { TextArea } from '#console/components/forms/field.tsx';
import { FileDrop } from '#console/components/forms/file-drop.tsx';
import { useLabels } from '#console/labels/labels.tsx';

const MAX_LINES = 10;
/** Enough for ten lines of most logs. */
const READ_BYTES = 65_536;

export const linesOf = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_LINES);

export function LinesInput({ text, onChange }: { readonly text: string; onChange(text: string): void }) {
  const { sources: labels } = useLabels();
  async function readFrom(file: File | undefined) {
    if (file) onChange(linesOf(await file.slice(0, READ_BYTES).text()).join('\n'));
  }
  return (
    <>
      <TextArea
        label={labels.lines}
        hint={labels.linesHint(MAX_LINES)}
        rows={5}
        spellCheck={false}
        value={text}
        onChange={onChange}
      />
      <FileDrop label={labels.linesFile} onFiles={([file]) => void readFrom(file)} />
    </>
  );
}
