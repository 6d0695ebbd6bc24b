import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours that follow the theme of the page. */
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)' },
  { tag: [tags.string, tags.content], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.keyword, tags.atom], color: 'var(--code-value)' },
  { tag: tags.comment, color: 'var(--dim)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: 'var(--dim)' },
  { tag: tags.labelName, color: 'var(--condition)' },
]);

const surface = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--dim)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--selection)',
    color: 'var(--text)',
  },
  '.cm-tooltip .about': { maxWidth: '480px', maxHeight: '40vh', overflow: 'auto', padding: '6px 10px' },
  '.cm-tooltip .about > *': { margin: '0 0 6px', overflowWrap: 'anywhere' },
  '.cm-tooltip .about > :last-child': { marginBottom: '0' },
  '.cm-tooltip .about blockquote': {
    paddingLeft: '8px',
    borderLeft: '3px solid var(--line-strong)',
    whiteSpace: 'pre-wrap',
  },
  '.cm-tooltip .about pre, .cm-tooltip .about code': {
    fontFamily: 'var(--mono)',
    fontSize: '12px',
    whiteSpace: 'pre-wrap',
  },
  '.cm-tooltip .about pre': { padding: '4px 8px', backgroundColor: 'var(--hover)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
});

/** The style of the editor. */
export const highlighting = [surface, syntaxHighlighting(colours)];
