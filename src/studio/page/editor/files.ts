import { batch, computed, effect, signal } from '@preact/signals';
import type { FileShown, FileText } from '../../protocol/files.ts';
import type { TextFix } from '../../../lsp/text/text-fix.ts';
import { api } from '../client/api.ts';
import { about, attempt, failure, flowNews } from '../model/studio.ts';
import { show, wantedPlace } from '../model/view.ts';
import { checkedProblems } from '../problems/checked.ts';

/** The files of the flow. */
export const files = signal<readonly FileShown[]>([]);

/** The open file as read from disk; null if none is open. */
export const loaded = signal<FileText | null>(null);

/** The text in the editor. */
export const draft = signal('');

/** The text on disk if it was changed elsewhere; otherwise null. */
export const conflict = signal<FileText | null>(null);

/** Whether the editor has unsaved changes. */
export const isDirty = computed(() => loaded.value !== null && draft.value !== loaded.value.text);

/** Serializes reads and saves, so that the answer of an earlier request never replaces text that was typed later. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

/** Opens a file. Without a path, opens the flow's file if none is open. A file with unsaved changes stays open. */
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

/** Saves the draft. If the file has changed on disk, both texts are shown. */
export function saveFile(): Promise<void> {
  return inTurn(async () => {
    const file = loaded.value;
    if (file === null || !isDirty.value) return;
    const text = draft.value;
    const saved = await attempt(() => api.save(file.path, text, file.etag));
    if (saved?.outcome === 'changed') conflict.value = saved.current;
    else if (saved !== null) {
      batch(() => {
        // Text that was typed during the save is still unsaved.
        loaded.value = saved.file;
        conflict.value = null;
        checkedProblems.value = null;
      });
    }
  });
}

/** Replaces the draft by the file on disk. */
export function takeTheirs(): void {
  if (conflict.value !== null) take(conflict.value);
}

/** Applies a fix in the editor, to be reviewed and saved. A fix is valid only for the checked text. */
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

/** Keeps the draft; saving replaces the file on disk. */
export async function keepMine(): Promise<void> {
  const theirs = conflict.value;
  if (theirs === null) return;
  loaded.value = theirs;
  conflict.value = null;
  await saveFile();
}

/** Compares the open file with the disk. */
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

/** Checks whether the editor holds unsaved changes of the flow's file. */
function isTyped(): boolean {
  return isDirty.peek() && loaded.peek()?.path === flowNews.peek()?.file;
}

/** Whether a check is running, and whether text was typed since it started. */
let isChecking = false;
let isTypedSince = false;

/** Checks the draft at once. Changes during a check are checked together after it. */
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

/** Follows changes on disk and in the draft. */
export function startFiles(): void {
  effect(() => {
    const place = wantedPlace.value;
    if (place !== null) void openFile(place.file);
  });
  // After a save elsewhere, an unchanged file is reloaded and a changed one shows both texts.
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
