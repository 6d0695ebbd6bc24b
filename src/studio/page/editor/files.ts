import { batch, computed, effect, signal } from '@preact/signals';
import type { FileShown, FileText } from '../../protocol/files.ts';
import type { TextFix } from '../../../lsp/text-fix.ts';
import { api } from '../client/api.ts';
import { about, attempt, failure, flowNews } from '../model/studio.ts';
import { show, wantedPlace } from '../model/view.ts';
import { checkedProblems } from '../problems/checked.ts';

/** The files of the flow. */
export const files = signal<readonly FileShown[]>([]);

/** The file in the editor, as it was read from disk; null before one was opened. */
export const loaded = signal<FileText | null>(null);

/** What stands in the editor. */
export const draft = signal('');

/** What somebody else has saved meanwhile; null where nobody has. */
export const conflict = signal<FileText | null>(null);

/** Whether the editor holds what is not on disk. */
export const isDirty = computed(() => loaded.value !== null && draft.value !== loaded.value.text);

/**
 * Reading and saving come one after the other: what is answered is about the file as the page knows it by then, and no answer
 * of an earlier request replaces what was typed after a later one.
 */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

/** Opens a file, the flow's own where none is named and none is open. What was typed and not saved is not lost: its file stays. */
export function openFile(path: string | null = null): Promise<void> {
  return inTurn(async () => {
    await attempt(async () => {
      files.value = await api.files();
      const open = loaded.value?.path;
      const wanted = path ?? open ?? flowNews.value?.file ?? files.value[0]?.path;
      if (wanted === undefined || wanted === open) return;
      const file = await api.file(wanted);
      if (isDirty.value) failure.value = `${open} is not saved. Save it or undo first.`;
      else take(file);
    });
  });
}

/** Saves what was typed; where the file has changed meanwhile, both are shown. */
export function saveFile(): Promise<void> {
  return inTurn(async () => {
    const file = loaded.value;
    if (file === null || !isDirty.value) return;
    const text = draft.value;
    const saved = await attempt(() => api.save(file.path, text, file.etag));
    if (saved?.outcome === 'changed') conflict.value = saved.current;
    else if (saved !== null) {
      batch(() => {
        // What was typed while it was saved is still to be saved.
        loaded.value = saved.file;
        conflict.value = null;
        checkedProblems.value = null;
      });
    }
  });
}

/** Takes the file of the disk in place of what was typed. */
export function takeTheirs(): void {
  if (conflict.value !== null) take(conflict.value);
}

/** Mends a problem in the editor, for its author to look at and save. A fix is of the very text that was checked. */
export async function applyFix(path: string, { edits }: TextFix): Promise<void> {
  await openFile(path);
  const [file, text, checked] = [loaded.peek(), draft.peek(), checkedProblems.peek()];
  if (file?.path !== path) return;
  const isOfThis = checked === null ? file.etag === flowNews.peek()?.etag && file.text === text : checked.text === text;
  if (!isOfThis || edits.some(({ from, to, was }) => text.slice(from, to) !== was)) {
    failure.value = 'The text has changed since it was checked. Try again in a moment.';
    return;
  }
  let mended = text;
  for (const edit of edits.toReversed()) mended = mended.slice(0, edit.from) + edit.text + mended.slice(edit.to);
  draft.value = mended;
  show('file');
}

/** Goes on with what was typed, over the file of the disk: the next saving replaces it. */
export async function keepMine(): Promise<void> {
  const theirs = conflict.value;
  if (theirs === null) return;
  loaded.value = theirs;
  conflict.value = null;
  await saveFile();
}

/** Compares the open file with the one on disk. */
async function lookAtDisk(): Promise<void> {
  const file = loaded.peek();
  if (file === null) return;
  const current = await api.file(file.path).catch(() => null);
  if (current === null || current.etag === file.etag) return;
  if (isDirty.peek() && current.text !== draft.peek()) conflict.value = current;
  else take(current);
}

function take(file: FileText): void {
  batch(() => {
    loaded.value = file;
    draft.value = file.text;
    conflict.value = null;
    checkedProblems.value = null;
  });
}

/** Whether the editor holds what is to be checked before it is saved: the flow's own file, and not as it is on disk. */
function isTyped(): boolean {
  return isDirty.peek() && loaded.peek()?.path === flowNews.peek()?.file;
}

/** Whether what was typed is being checked, and whether more was typed since. */
let isChecking = false;
let isTypedSince = false;

/** Checks what is typed at once; what is typed while a check is under way is checked after it, all in one. */
async function checkTyped(): Promise<void> {
  if (isChecking) {
    isTypedSince = true;
    return;
  }
  isChecking = true;
  do {
    isTypedSince = false;
    const [file, text] = [loaded.peek(), draft.peek()];
    if (file === null || !isTyped()) break;
    const checked = await api.check({ path: file.path, text }).catch(() => null);
    if (checked !== null && draft.peek() === text && isTyped()) checkedProblems.value = { ...checked, text };
  } while (isTypedSince);
  isChecking = false;
}

/** Keeps up with the disk and with what is typed. */
export function startFiles(): void {
  effect(() => {
    const place = wantedPlace.value;
    if (place !== null) void openFile(place.file);
  });
  // Somebody has saved: what was not touched here is shown anew; what was, shows both.
  effect(() => {
    void flowNews.value;
    if (about.peek()?.may.edit === true) void inTurn(lookAtDisk);
  });
  effect(() => {
    void [loaded.value, draft.value];
    if (isTyped()) void checkTyped();
    else checkedProblems.value = null;
  });
}
