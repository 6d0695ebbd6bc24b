import { type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  closeHoverTooltips,
  EditorView,
  hoverTooltip,
  type KeyBinding,
  keymap,
  showTooltip,
  type Tooltip,
} from '@codemirror/view';
import type { AboutPart, TextAbout } from '../../../lsp/text/text-about.ts';
import { api } from '../client/api.ts';

/** Explains a name or key of the file at `path`, under the pointer or with Ctrl-Shift-Space at the caret. */
export function hover(path: string): Extension {
  const ask: KeyBinding = {
    key: 'Ctrl-Shift-Space',
    preventDefault: true,
    run: (view) => {
      void tellAtCaret(view, path);
      return true;
    },
  };
  const close: KeyBinding = {
    key: 'Escape',
    run: (view) => {
      if (view.state.field(atCaret) === null) return false;
      view.dispatch({ effects: tell.of(null) });
      return true;
    },
  };
  return [
    hoverTooltip(async (view, pos) => {
      const about = await aboutAt(view, path, pos);
      return about === null ? null : tooltipOf(about);
    }),
    atCaret,
    keymap.of([ask, close]),
  ];
}

const tell = StateEffect.define<Tooltip | null>();

/** The tooltip requested by keyboard; it closes when the caret moves or the text changes. */
const atCaret = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, { effects, docChanged, selection }) {
    for (const effect of effects) if (effect.is(tell)) return effect.value;
    return docChanged || selection !== undefined ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

async function tellAtCaret(view: EditorView, path: string): Promise<void> {
  const { state } = view;
  const { head } = state.selection.main;
  // Before the first word of a line, that word is used.
  const { from, text } = state.doc.lineAt(head);
  const about = await aboutAt(view, path, Math.max(head, from + text.search(/\S|$/)));
  // The caret has moved in the meantime.
  if (view.state.doc !== state.doc || !view.state.selection.eq(state.selection)) return;
  const told = about ?? { from: head, to: head, name: 'Nothing is known about this text.', kind: '', parts: [] };
  view.dispatch({ effects: [tell.of(tooltipOf(told)), closeHoverTooltips, EditorView.announce.of(plainText(told))] });
}

async function aboutAt(view: EditorView, path: string, offset: number): Promise<TextAbout | null> {
  const { doc } = view.state;
  const about = await api.hover({ path, text: doc.toString(), offset }).catch(() => null);
  return view.state.doc === doc ? about : null;
}

function tooltipOf(about: TextAbout): Tooltip {
  const { from, to } = about;
  return { pos: from, end: to, above: true, create: () => ({ dom: within(drawn(about)) }) };
}

/** Text of an author is inserted as text, never as markup. */
function drawn({ name, kind, parts }: TextAbout): HTMLElement {
  const box = element('div', 'about');
  const title = element('p', 'about-title');
  title.append(element('strong', '', name), kind === '' ? '' : ` ${kind}`);
  box.append(title, ...parts.map(paragraphOf));
  return box;
}

function paragraphOf({ is, text }: AboutPart): HTMLElement {
  switch (is) {
    case 'note': {
      const line = element('p', '');
      // Every second piece is between backticks.
      line.append(...text.split('`').map((piece, index) => (index % 2 === 1 ? element('code', '', piece) : piece)));
      return line;
    }
    case 'text':
      return element('p', '', text);
    case 'said':
      return element('blockquote', '', text);
    case 'prompt':
      return element('pre', '', text);
  }
}

function plainText({ name, kind, parts }: TextAbout): string {
  return [kind === '' ? name : `${name}, ${kind}`, ...parts.map(({ text }) => text.replaceAll('`', ''))].join('. ');
}

/** The editor styles the outer element itself. */
function within(content: HTMLElement): HTMLElement {
  const box = element('div', '');
  box.append(content);
  return box;
}

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.textContent = text;
  return made;
}
