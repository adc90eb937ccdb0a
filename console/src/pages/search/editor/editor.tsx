// The editor of a query text: highlighting, completion, marks for mistakes. Ctrl-Enter runs.

import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { linter, nextDiagnostic, previousDiagnostic } from '@codemirror/lint';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useLabels } from '#console/labels/labels.tsx';
import { styleNonce } from '#console/shell/nonce.ts';
import { completionsFrom, type Names } from './completion.ts';
import styles from './editor.module.css';
import { diagnosticsOf, type Findings } from './findings.ts';
import { highlighting } from './highlighting.ts';

export interface EditorProps {
  readonly text: string;
  onChange(text: string): void;
  onRun(): void;
  readonly names: Names;
  /** Resolves to undefined where the service does not answer. */
  check(text: string): Promise<Findings | undefined>;
}

const CHECK_DELAY_MS = 300;

export function Editor(props: EditorProps) {
  const { text } = props;
  const { search: labels } = useLabels();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ ...props, labels });
  useEffect(() => {
    latest.current = { ...props, labels };
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
    made.focus();
    return () => made.destroy();
  }, []);
  useEffect(() => {
    view.current?.dispatch({ effects: wording.reconfigure(wordsOf(labels)) });
  }, [labels]);
  useEffect(() => {
    const made = view.current;
    if (!made || made.state.doc.toString() === text) return;
    made.dispatch({
      changes: { from: 0, to: made.state.doc.length, insert: text },
      selection: { anchor: text.length },
    });
  }, [text]);
  return <div ref={host} className={styles.editor} />;
}

type Latest = { readonly current: EditorProps & { readonly labels: ReturnType<typeof useLabels>['search'] } };

const wording = new Compartment();

const wordsOf = (labels: Latest['current']['labels']) => [
  placeholder(labels.placeholder),
  EditorView.contentAttributes.of({ 'aria-label': labels.editor }),
];

const extensionsOf = (latest: Latest) => [
  EditorView.cspNonce.of(styleNonce()),
  highlightSpecialChars({ addSpecialChars: /[\u202a-\u202e\u2066-\u2069]/ }),
  history(),
  bracketMatching(),
  closeBrackets(),
  EditorView.lineWrapping,
  highlighting,
  wording.of(wordsOf(latest.current.labels)),
  autocompletion({ override: [completionsFrom(namesOf(latest))], activateOnTypingDelay: 50, interactionDelay: 0 }),
  linter(
    async ({ state }) => {
      const doc = state.doc.toString();
      const findings = doc.trim() === '' ? undefined : await latest.current.check(doc);
      return findings ? diagnosticsOf(findings, doc.length, latest.current.labels.replaceWith) : [];
    },
    { delay: CHECK_DELAY_MS },
  ),
  Prec.highest(
    keymap.of([
      {
        key: 'Mod-Enter',
        run() {
          latest.current.onRun();
          return true;
        },
      },
      { key: 'Tab', run: acceptCompletion },
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
