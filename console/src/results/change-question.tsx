// In place of the rows of a text that changes something and that no click on Run has started: the commands, what each does, and
// the click that runs them.

import { useAnswer } from '#console/client/answers.ts';
import { Button } from '#console/components/button.tsx';
import { Icon } from '#console/components/icon.tsx';
import type { Finding } from '#console/components/query-editor/findings.ts';
import { useCommandKinds } from '#console/components/query-editor/use-language.ts';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { type ChangingCommand, changingCommands } from '#console/query-text/changing-commands.ts';
import styles from './outcome.module.css';
import { CellText } from './stored-text.tsx';

interface ChangeQuestionProps {
  readonly text: string;
  /** The command that the service has refused. */
  readonly refused: Finding;
  /** True where no editor shows the text. */
  readonly isTextShown?: boolean;
  onRun(): void;
}

const MAX_COMMAND = 200;
/** Longer commands have only their names on the button. */
const MAX_BUTTON = 60;

export function ChangeQuestion({ text, refused, isTextShown = false, onRun }: ChangeQuestionProps) {
  const { search } = useLabels();
  const { change: labels } = search;
  const { locale } = useLanguage();
  const kinds = useCommandKinds();
  const { data } = useAnswer('GET /api/core/query-language', { locale });
  const commands = changingCommands(text, kinds, refused);
  const summaryOf = (name: string) => data?.commands.find((command) => command.name === name)?.summary;
  return (
    <section className={styles.outcome} aria-label={labels.title}>
      <h2 className={styles.question}>
        <Icon name="alert" /> {labels.title}
      </h2>
      <p>{labels.text}</p>
      {isTextShown && <pre className={styles.text}>{text}</pre>}
      <ul className={styles.changes}>
        {commands.map(({ name, text: command }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Commands keep their places.
          <li key={index}>
            <code>
              <CellText text={command} max={MAX_COMMAND} />
            </code>
            <span className={styles.detail}>{summaryOf(name)}</span>
          </li>
        ))}
      </ul>
      <p className={styles.fixes}>
        <Button icon="play" kind="danger" onClick={onRun}>
          {labels.run(buttonText(commands))}
        </Button>
      </p>
    </section>
  );
}

function buttonText(commands: readonly ChangingCommand[]): string {
  const whole = commands.map((command) => command.text).join(', ');
  return whole.length <= MAX_BUTTON ? whole : commands.map(({ name }) => name).join(', ');
}
