// The editor of a query text: highlighting, completion from the catalogue of the language, marks for mistakes. Ctrl-Enter runs.
// It is large: pages that do not begin with it take query-field.tsx, which loads it when it is shown.

import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { linter, nextDiagnostic, previousDiagnostic } from '@codemirror/lint';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import {
  closeHoverTooltips,
  EditorView,
  hasHoverTooltips,
  highlightSpecialChars,
  keymap,
  placeholder,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useEscapeLayer } from '#console/components/overlays/escape-layers.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { styleNonce } from '#console/shell/nonce.ts';
import { completionsFrom, type Names } from './completion.ts';
import { diagnosticsOf } from './findings.ts';
import { highlighting } from './highlighting.ts';
import styles from './query-editor.module.css';
import { replacedSelection } from './replaced-selection.ts';
import { checkText, useNames } from './use-language.ts';

export interface QueryEditorProps {
  readonly text: string;
  onChange(text: string): void;
  /** By Ctrl-Enter. */
  onRun?(): void;
  /** Read aloud; otherwise `Query`. */
  readonly label?: string;
  readonly placeholder?: string;
  readonly takesFocus?: boolean;
  /** A pipeline that the text continues, as that of a dataset: the text is checked and completed behind it. */
  readonly lead?: string | undefined;
}

const CHECK_DELAY_MS = 300;

export function QueryEditor(props: QueryEditorProps) {
  const { text, takesFocus = false } = props;
  const { queryEditor: labels } = useLabels();
  const { label = labels.label, placeholder: example = labels.placeholder } = props;
  const names = useNames();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ ...props, names, label, placeholder: example, replaceWith: labels.replaceWith });
  useEffect(() => {
    latest.current = { ...props, names, label, placeholder: example, replaceWith: labels.replaceWith };
  });
  // The editor is made once; another text comes by the effect below.
  // biome-ignore lint/correctness/useExhaustiveDependencies: The first text alone.
  useEffect(() => {
    if (!host.current) return;
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({ doc: text, extensions: extensionsOf(latest) }),
    });
    view.current = made;
    if (takesFocus) made.focus();
    return () => made.destroy();
  }, []);
  useEffect(() => {
    view.current?.dispatch({ effects: wording.reconfigure(wordsOf({ label, placeholder: example })) });
  }, [label, example]);
  useEffect(() => {
    const made = view.current;
    if (!made || made.state.doc.toString() === text) return;
    made.dispatch({
      changes: { from: 0, to: made.state.doc.length, insert: text },
      selection: { anchor: text.length },
    });
  }, [text]);
  useEscapeLayer(() => view.current !== null && closeTips(view.current));
  return <div ref={host} className={styles.editor} />;
}

/** Closes the list of completions, else the tip of a mistake; returns whether one was open. */
function closeTips(view: EditorView): boolean {
  if (closeCompletion(view)) return true;
  if (!hasHoverTooltips(view.state)) return false;
  view.dispatch({ effects: closeHoverTooltips });
  return true;
}

interface Words {
  readonly label: string;
  readonly placeholder: string;
}

interface Latest {
  readonly current: QueryEditorProps & Words & { readonly names: Names; replaceWith(text: string): string };
}

const wording = new Compartment();

const wordsOf = ({ label, placeholder: example }: Words) => [
  placeholder(example),
  EditorView.contentAttributes.of({ 'aria-label': label }),
];

const extensionsOf = (latest: Latest) => [
  EditorView.cspNonce.of(styleNonce()),
  highlightSpecialChars({ addSpecialChars: /[\u202a-\u202e\u2066-\u2069]/ }),
  replacedSelection,
  history(),
  bracketMatching(),
  closeBrackets(),
  EditorView.lineWrapping,
  highlighting,
  wording.of(wordsOf(latest.current)),
  autocompletion({
    override: [completionsFrom(namesOf(latest), () => latest.current.lead)],
    activateOnTypingDelay: 50,
    interactionDelay: 0,
  }),
  linter(
    async ({ state }) => {
      const doc = state.doc.toString();
      const findings = doc.trim() === '' ? undefined : await checkText(doc, latest.current.lead);
      return findings ? diagnosticsOf(findings, doc.length, latest.current.replaceWith) : [];
    },
    { delay: CHECK_DELAY_MS },
  ),
  Prec.highest(
    keymap.of([
      {
        key: 'Mod-Enter',
        run(view) {
          closeCompletion(view);
          latest.current.onRun?.();
          return true;
        },
      },
      { key: 'Tab', run: acceptCompletion },
      { key: 'Escape', run: closeTips },
    ]),
  ),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    { key: 'F8', run: nextDiagnostic, shift: previousDiagnostic },
    ...historyKeymap,
    ...defaultKeymap,
  ]),
  EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged) latest.current.onChange(state.doc.toString());
  }),
];

const namesOf = (latest: Latest): Names => ({
  catalogue: () => latest.current.names.catalogue(),
  tables: () => latest.current.names.tables(),
  fields: (pipeline) => latest.current.names.fields(pipeline),
});
