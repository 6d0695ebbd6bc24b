import { effect } from '@preact/signals';
import type { CompletionSource } from '@codemirror/autocomplete';
import { yaml } from '@codemirror/lang-yaml';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Transaction } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { api } from '../client/api.ts';
import type { ProblemShown } from '../../protocol/flow-news.ts';
import { flowNews } from '../model/studio.ts';
import { wantedPlace } from '../model/view.ts';
import { checkedProblems } from '../problems/checked.ts';
import { applyFix, draft, loaded, saveFile } from './files.ts';
import { highlighting } from './highlighting.ts';
import { hover } from './hover.ts';

/** The last place that was opened; saving must not jump there again. */
let reached: typeof wantedPlace.value = null;

/** The editor state when the pane was left; restored on return. */
let left: { readonly path: string; readonly state: EditorState } | null = null;

/** Opens an editor for the draft, until the returned function is called. */
export function openCodeEditor(parent: HTMLElement): () => void {
  const view = new EditorView({ parent, state: stateOf('') });
  let path: string | null = null;
  const stops = [
    effect(() => {
      const file = loaded.value;
      const text = draft.value;
      if (file !== null && file.path !== path) {
        path = file.path;
        const kept = left?.path === path && left.state.doc.toString() === text ? left : null;
        view.setState(kept?.state ?? stateOf(text, path));
        if (kept !== null)
          view.dispatch({ effects: EditorView.scrollIntoView(kept.state.selection.main.head, { y: 'center' }) });
      } else if (text !== view.state.doc.toString()) {
        // The caret keeps its position if possible.
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      }
    }),
    effect(() => {
      const place = wantedPlace.value;
      if (place === null || place === reached || loaded.value?.path !== place.file) return;
      reached = place;
      goTo(view, place.line, place.column);
    }),
    effect(() => {
      const problems = checkedProblems.value?.problems ?? flowNews.value?.problems ?? [];
      void loaded.value;
      const found = problems
        .filter(({ file }) => file === path)
        .flatMap((problem) => diagnosticOf(view.state, problem));
      view.dispatch(setDiagnostics(view.state, found));
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    left = path === null ? null : { path, state: view.state };
    view.destroy();
  };
}

function stateOf(text: string, path = ''): EditorState {
  const nonce = document.querySelector('script[nonce]');
  // Created once per editor, because a new source would be queried again.
  const proposals = [{ autocomplete: proposalsIn(path) }];
  return EditorState.create({
    doc: text,
    extensions: [
      basicSetup,
      ...(/\.ya?ml$/.test(path) ? [yaml(), EditorState.languageData.of(() => proposals), hover(path)] : []),
      highlighting,
      EditorView.lineWrapping,
      // The policy of the page allows styles only with this nonce.
      EditorView.cspNonce.of(nonce instanceof HTMLElement ? nonce.nonce : ''),
      EditorView.domEventHandlers({ beforeinput: typeOver }),
      EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': `Text of ${path === '' ? 'the file' : path}` }),
      keymap.of([
        {
          key: 'Mod-s',
          preventDefault: true,
          run: () => {
            void saveFile();
            return true;
          },
        },
      ]),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) draft.value = state.doc.toString();
      }),
    ],
  });
}

/** Asks the studio for proposals at the caret. */
function proposalsIn(path: string): CompletionSource {
  return async (context) => {
    const { state, pos, explicit } = context;
    // After a space, proposals are shown only where a value begins, or on request.
    if (!explicit && context.matchBefore(/[\w$.-]+$|(?:^|\s)[\w-]+: |\{\{ ?$|[[,] ?$/) === null) return null;
    const found = await api.complete({ path, text: state.doc.toString(), offset: pos }).catch(() => []);
    const [first] = found;
    if (first === undefined || context.aborted) return null;
    return {
      from: first.from,
      to: first.to,
      options: found.map(({ name, text, detail, about }, index) => ({
        ...{ label: name, apply: text, detail, boost: -Math.min(index, 99) },
        ...(about === '' ? {} : { info: about }),
      })),
      validFor: /^[\w$.-]*$/,
    };
  };
}

/**
 * Replaces a selection in code. Chromium would insert an element with inline styles, which the policy of the page
 * blocks with an error. Other input is left to the browser.
 */
function typeOver(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event;
  const { from, to, empty } = view.state.selection.main;
  if (inputType !== 'insertText' || data === null || isComposing || empty) return false;
  event.preventDefault();
  const typed = (): Transaction =>
    view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  // Such as the handler that puts brackets around a selection.
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, from, to, data, typed))) view.dispatch(typed());
  return true;
}

function goTo(view: EditorView, line: number, column: number): void {
  const { from, to } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
  const at = Math.min(from + Math.max(column - 1, 0), to);
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  view.focus();
}

function diagnosticOf(state: EditorState, problem: ProblemShown): readonly Diagnostic[] {
  const { file, line, column, severity, message, hint, fixes } = problem;
  if (line === null || line > state.doc.lines) return [];
  const { from, to } = state.doc.line(line);
  const start = Math.min(from + (column ?? 1) - 1, to);
  const text = hint === undefined ? message : `${message} ${hint}`;
  return [
    {
      ...{ from: start, to, message: text, source: problem.code },
      severity: severity === 'note' ? 'info' : severity,
      actions: fixes.map((fix) => ({ name: fix.title, apply: () => void applyFix(file, fix) })),
    },
  ];
}
