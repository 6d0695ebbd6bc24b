import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { about, flowNews } from '../model/studio.ts';
import { openedSession } from '../model/session.ts';
import { wantedPlace } from '../model/view.ts';
import { conflict, draft, files, isDirty, keepMine, loaded, openFile, saveFile, takeTheirs } from './files.ts';

/** An editor of the file on disk. Saving changes the live conversation. */
export function EditorPane(): JSX.Element {
  useEffect(() => {
    // A requested place opens its own file.
    if (loaded.peek() === null && wantedPlace.peek() === null) void openFile();
  }, []);
  const file = loaded.value;
  if (about.value?.may.edit !== true) return <p class="empty">This studio cannot edit files.</p>;
  return (
    <div class="editor-pane">
      <div class="pane-head">
        <label class="field">
          <span class="sr-only">File</span>
          <select
            value={file?.path ?? ''}
            disabled={isDirty.value}
            title={isDirty.value ? 'Save or undo first' : undefined}
            onChange={(event) => void openFile(event.currentTarget.value)}
          >
            {files.value.map(({ path }) => (
              <option key={path} value={path}>
                {path}
              </option>
            ))}
          </select>
        </label>
        <span class="dim small" role="status">
          {isDirty.value ? 'Not saved' : swapText()}
        </span>
        <button type="button" class="primary" disabled={!isDirty.value} onClick={() => void saveFile()}>
          Save
        </button>
      </div>
      {conflict.value !== null && <Conflict />}
      {file === null ? <p class="empty">No file is open yet.</p> : <CodeEditor />}
      {flowNews.value?.file === null && <p class="dim small">This flow is written in code.</p>}
    </div>
  );
}

/** Describes the effect of saving on the shown conversation. */
function swapText(): string {
  const swap = openedSession.value?.swaps.at(-1);
  if (swap === undefined) return 'As on disk';
  return swap.outcome === 'swapped' ? `Saved. The conversation continues at ${swap.node}.` : swap.why;
}

function Conflict(): JSX.Element | null {
  const theirs = conflict.value;
  if (theirs === null) return null;
  return (
    <section class="conflict" aria-label="The file has changed on disk">
      <p class="banner">The file has changed on disk since you opened it. Both texts are here: choose one.</p>
      <div class="conflict-texts">
        <figure>
          <figcaption>Yours</figcaption>
          <pre tabIndex={0}>{differing(draft.value, theirs.text)}</pre>
        </figure>
        <figure>
          <figcaption>On disk</figcaption>
          <pre tabIndex={0}>{differing(theirs.text, draft.value)}</pre>
        </figure>
      </div>
      <p class="conflict-buttons">
        <button type="button" onClick={() => takeTheirs()}>
          Use the version on disk
        </button>
        <button type="button" class="danger" onClick={() => void keepMine()}>
          Overwrite with mine
        </button>
      </p>
    </section>
  );
}

/** Returns the lines that differ from the other text, with line numbers. */
function differing(text: string, other: string): string {
  const [lines, others] = [text.split('\n'), other.split('\n')];
  let from = 0;
  while (from < lines.length && lines[from] === others[from]) from += 1;
  let cut = 0;
  while (cut < lines.length - from && cut < others.length - from && lines.at(-1 - cut) === others.at(-1 - cut))
    cut += 1;
  const first = Math.max(from - 1, 0);
  return lines
    .slice(first, lines.length - cut + 1)
    .map((line, index) => `${String(first + index + 1).padStart(4)}  ${line}`)
    .join('\n');
}

function CodeEditor(): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const fault = useSignal<string | null>(null);
  useEffect(() => {
    let close: (() => void) | null = null;
    let isGone = false;
    import('./code-editor.ts').then(
      ({ openCodeEditor }) => {
        if (!isGone && host.current !== null) close = openCodeEditor(host.current);
      },
      () => {
        fault.value = 'The editor could not be loaded.';
      },
    );
    return () => {
      isGone = true;
      close?.();
    };
  }, []);
  return (
    <>
      {fault.value !== null && <p class="fault">{fault.value}</p>}
      <div class="code" ref={host} />
    </>
  );
}
