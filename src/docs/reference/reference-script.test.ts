// The filter of the reference page, run as a browser would, against the few parts of a document that it touches.

import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { SCRIPT } from './reference-script.ts';

class Element {
  hidden = false;
  value = '';
  #listener = (): void => undefined;
  readonly id: string;
  readonly textContent: string;
  readonly classList: { contains(name: string): boolean };
  readonly inner: readonly Element[];
  readonly parentElement: Element | undefined;

  constructor(id: string, text: string, { inner = [], parent }: { inner?: readonly Element[]; parent?: Element } = {}) {
    this.id = id;
    this.textContent = [text, ...inner.map(({ textContent }) => textContent)].join(' ');
    this.classList = { contains: (name) => name === 'rows' && inner.length > 0 };
    this.inner = inner;
    this.parentElement = parent;
  }

  querySelectorAll = (_selector: string): readonly Element[] => this.inner;

  addEventListener(_event: string, listener: () => void): void {
    this.#listener = listener;
  }

  type(value: string): void {
    this.value = value;
    this.#listener();
  }
}

function openPage() {
  const box = new Element('filter', '');
  const none = new Element('none', '');
  box.hidden = true;
  const rows = [new Element('', 'abs(n) magnitude'), new Element('', 'ceil(n) rounds up')];
  const user = new Element('user', 'Create user POST');
  const numbers = new Element('numbers', 'Numbers', { inner: rows });
  const sections = [new Element('', '', { inner: [user] }), new Element('', '', { inner: [numbers] })];
  const item = new Element('', '');
  const found: Readonly<Record<string, readonly Element[]>> = {
    article: [user, numbers],
    'main section': sections,
    'nav a[href="#user"]': [new Element('', '', { parent: item })],
  };
  const document = {
    getElementById: (id: string) => (id === 'filter' ? box : none),
    querySelectorAll: (selector: string) => found[selector] ?? [],
  };
  runInNewContext(SCRIPT, { document });
  return { box, none, rows, user, numbers, sections, item };
}

const hiddenOf = (elements: readonly Element[]) => elements.map(({ hidden }) => hidden);

describe('The filter of the reference page', () => {
  it('shows itself and everything at first', () => {
    const { box, none, rows, user, numbers } = openPage();
    expect(hiddenOf([box, user, numbers, ...rows])).toEqual([false, false, false, false, false]);
    expect(none.hidden).toBe(true);
  });

  it('hides what lacks one of the words, with its link and its section', () => {
    const { box, user, numbers, sections, item } = openPage();
    box.type('  ABS magn ');
    expect(hiddenOf([user, numbers, ...sections, item])).toEqual([true, false, true, false, true]);
  });

  it('hides the rows of a table that do not match, unless it is the heading that matches', () => {
    const { box, rows } = openPage();
    box.type('rounds');
    expect(hiddenOf(rows)).toEqual([true, false]);
    box.type('numbers');
    expect(hiddenOf(rows)).toEqual([false, false]);
  });

  it('says when nothing matches, and shows everything again', () => {
    const { box, none, user, numbers } = openPage();
    box.type('nowhere');
    expect(hiddenOf([none, user, numbers])).toEqual([false, true, true]);
    box.type('');
    expect(hiddenOf([none, user, numbers])).toEqual([true, false, false]);
  });
});
