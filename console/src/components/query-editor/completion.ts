// Completions of a query text from the catalogue of the language and the names of the service.

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { nameText } from '#console/query-text/literals.ts';
import { type Catalogue, type OptionHelp, positionAt, type Wanted } from './completion-position.ts';
import { behindLead, leadLength } from './lead.ts';

export interface Names {
  catalogue(): Promise<Catalogue>;
  tables(): Promise<readonly string[]>;
  /** The columns of a pipeline. */
  fields(pipeline: string): Promise<readonly string[]>;
}

/** `names` are asked for when they are needed, and the pipeline that the text continues. */
export const completionsFrom =
  (names: Names, leadNow: () => string | undefined) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const catalogue = await names.catalogue();
    const lead = leadNow();
    const start = leadLength(lead);
    const position = positionAt(behindLead(context.state.doc.toString(), lead), context.pos + start, catalogue);
    if (!position || context.aborted) return null;
    const isBegun = position.begin - start < context.pos;
    // Behind a blank the list opens by itself only where little can stand.
    if (!isBegun && !context.explicit && position.wanted.kind === 'object' && !position.wanted.takesTables) return null;
    const options = await optionsFor(position.wanted, position.before, { names, catalogue });
    return { from: position.begin - start, options, validFor: /^[\p{L}\p{Nd}\p{M}_@.:]*$/u };
  };

interface Sources {
  readonly names: Names;
  readonly catalogue: Catalogue;
}

async function optionsFor(wanted: Wanted, before: string, sources: Sources): Promise<readonly Completion[]> {
  const { names, catalogue } = sources;
  if (wanted.kind === 'command') return commandsAt(catalogue, wanted.isFirst);
  if (wanted.kind === 'value') {
    const fields = wanted.option.name === 'field' ? await names.fields(before) : [];
    return [...(wanted.option.values ?? []).map((label) => ({ label, type: 'constant' })), ...fields.map(fieldOf)];
  }
  const [tables, fields] = await Promise.all([
    wanted.takesTables ? names.tables() : [],
    wanted.takesFields && before !== '' ? names.fields(before) : [],
  ]);
  return [
    ...tables.map((label) => ({ label, type: 'class', boost: 3 })),
    ...fields.map(fieldOf),
    ...wanted.options.map(optionOf),
    ...(wanted.takesAggregates ? callsOf(catalogue, 'aggregate') : []),
    ...(wanted.takesFunctions ? callsOf(catalogue, 'scalar') : []),
    ...wanted.words.map((label) => ({ label, type: 'keyword' })),
  ];
}

function commandsAt({ commands }: Catalogue, isFirst: boolean): readonly Completion[] {
  return commands
    .filter(({ kind, name }) => (kind === 'driver') === isFirst || (isFirst && ['set', 'setq', 'union'].includes(name)))
    .map(({ name, syntax, summary }) => ({
      label: name,
      apply: syntax === name ? name : `${name} `,
      type: 'keyword',
      info: `${syntax}\n\n${summary}`,
    }));
}

const fieldOf = (name: string): Completion => ({ label: name, apply: nameText(name), type: 'property', boost: 2 });

const optionOf = ({ name, summary, default: initial }: OptionHelp): Completion => ({
  label: `${name}=`,
  type: 'enum',
  info: summary,
  boost: 1,
  ...(initial === null ? {} : { detail: initial }),
});

const callsOf = ({ functions }: Catalogue, kind: 'aggregate' | 'scalar'): readonly Completion[] =>
  functions
    .filter((one) => one.kind === kind)
    .map(({ name, syntax, summary }) => ({
      label: name,
      apply: syntax === name ? name : `${name}(`,
      type: 'function',
      info: `${syntax}\n\n${summary}`,
      boost: kind === 'aggregate' ? 1 : -1,
    }));
