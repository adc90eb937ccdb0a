// Text that is typed over a selection is inserted by the editor. Left to itself the browser carries the style of the selection
// over in a style attribute, which the policy of the page forbids and reports.

import { EditorView } from '@codemirror/view';

export const replacedSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event;
    const { main } = view.state.selection;
    if (inputType !== 'insertText' || data === null || main.empty) return false;
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' });
    const handlers = view.state.facet(EditorView.inputHandler);
    // As the editor does with text that the browser has inserted: brackets close around a selection.
    if (!handlers.some((handle) => handle(view, main.from, main.to, data, insert))) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});
