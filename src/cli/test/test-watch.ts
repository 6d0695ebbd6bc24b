import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FlowError } from '../../model/errors.ts';
import { isInside } from '../../flow/load/files/confined-file.ts';
import { watchFiles } from '../../flow/load/files/watch-files.ts';
import { systemClock } from '../../system.ts';
import { isTestFile } from '../../flowtest/document/is-test-file.ts';
import { prettyTotals } from '../../flowtest/reports/pretty.ts';
import { sumOfTotals, type Totals } from '../../flowtest/reports/totals.ts';
import { hasColours, paint, print } from '../output.ts';
import { isFolder, testFiles } from './test-files.ts';
import { reportPainter } from './report-painter.ts';
import type { FilesRead, RoundOptions } from './test-round.ts';
import type { RoundNews, RoundOrder } from './test-watched-round.ts';
import { counted } from '../../model/ports/counted.ts';

/** Extensions of files that flows, prompts, tools or configurations may read. */
const readable = /^\.(?:[cm]?[jt]s|json|ya?ml|md|txt|csv)$/;
/** Changes within this many milliseconds after a round were probably written by its tools. */
const ownWritesMs = 300;

/** The known facts about a test file. */
interface Known {
  readonly reads: FilesRead;
  /** Its current problems, as text. */
  readonly problems: readonly string[];
  readonly isBroken: boolean;
  /** The result of its last run; null if it has not run. */
  readonly last: { readonly text: string; readonly totals: Totals } | null;
}

/**
 * Runs tests and repeats those that a changed file affects, until Ctrl-C. Each round runs in a new process with the
 * current code. The screen is not cleared until a round has ended.
 */
export async function watchTests(places: readonly string[], options: Omit<RoundOptions, 'files'>): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), `roomflow-watch-${process.pid}-`));
  const known = new Map<string, Known>();
  /** Test files to run, including those of a round that was stopped. */
  const due = new Set<string>();
  let round: { readonly child: ChildProcess; readonly files: readonly string[] } | null = null;
  let endedAt = 0;
  /** Changes during a round that did not yet concern a known test file. */
  let early = new Set<string>();
  const watched: string[] = [];

  const end = (exitCode: number): never => {
    round?.child.kill('SIGKILL');
    rmSync(scratch, { recursive: true, force: true });
    process.exit(exitCode);
  };
  process.on('SIGINT', () => end(130));
  process.on('SIGTERM', () => end(143));

  const play = (): void => {
    const files = [...due];
    if (files.length === 0) return;
    const told: string[] = [];
    const child = fork(fileURLToPath(new URL('test-watched-round.js', import.meta.url)), {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, TMPDIR: scratch },
    });
    round = { child, files };
    // Output of tools is printed before the results of the round.
    const printed: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => void printed.push(text));
    print(paint('dim', `running ${files.length === 1 ? files[0] : `${files.length} files`} ...`));
    let isOver = false;
    child.on('message', (news: RoundNews) => {
      if (news.kind === 'over') isOver = true;
      else if (news.kind === 'told') told.push(news.text);
      else {
        const key = resolve(news.file);
        const before = known.get(key);
        if (news.kind === 'opened') {
          const { reads, problems, isBroken } = news;
          known.set(key, { reads, problems, isBroken, last: before?.last ?? null });
        } else if (before !== undefined) known.set(key, { ...before, last: { text: news.text, totals: news.totals } });
      }
    });
    child.once('close', (code, signal) => {
      if (round?.child !== child) return;
      round = null;
      endedAt = systemClock.now();
      for (const file of files) due.delete(file);
      if (!isOver) told.push(paint('red', `the round stopped unexpectedly (${signal ?? `exit code ${code}`}).`));
      watchAgain();
      show(told, printed.join(''));
      const missed = early;
      early = new Set();
      changed(missed);
    });
    child.send({ options: { ...options, files }, hasColours: hasColours(process.stdout) } satisfies RoundOrder);
  };

  /** Prints the last result of every file. */
  const show = (told: readonly string[], printed: string): void => {
    if (process.stdout.isTTY) process.stdout.write('\u001B[2J\u001B[3J\u001B[H');
    if (printed.trim() !== '') print(printed.trimEnd());
    const shown = new Set<string>();
    for (const [file, { problems, isBroken, last }] of known) {
      if (last !== null) print(isBroken ? paint('dim', `previous result: ${last.text}`) : last.text);
      else if (isBroken) print(relative('.', file));
      // A problem of a flow with several test files is printed once.
      for (const problem of problems) if (!shown.has(problem)) print(problem);
      for (const problem of problems) shown.add(problem);
    }
    const all = [...known.values()];
    print(prettyTotals(sumOfTotals(all.flatMap(({ last }) => last?.totals ?? [])), reportPainter(paint)));
    const broken = all.filter(({ isBroken }) => isBroken).length;
    if (broken > 0) print(paint('red', `${counted(broken, 'file')} with errors, not run`));
    for (const text of told) print(text);
    print(paint('dim', 'Waiting for changes. Ctrl-C stops.'));
  };

  /** Returns the test files that a change of these paths affects. */
  const touchedBy = (paths: ReadonlySet<string>): readonly string[] => {
    const all = [...known];
    const isRead = (path: string): boolean => all.some(([, { reads }]) => reads.paths.includes(path));
    // Code may read a file that is not in the list of any test.
    const unknown = [...paths].filter((path) => !isRead(path) && readable.test(extname(path)) && !isTestFile(path));
    const mayBeRead = unknown.length > 0 && round === null && systemClock.now() - endedAt > ownWritesMs;
    const isTouched = ({ reads, isBroken }: Known): boolean =>
      reads.paths.some((path) => paths.has(path)) || (mayBeRead && (reads.hasCode || isBroken));
    return all.flatMap(([file, one]) => (isTouched(one) ? [file] : []));
  };

  const changed = (paths: ReadonlySet<string>): void => {
    const now = new Set(filesNow(places).map((file) => resolve(file)));
    for (const file of known.keys()) if (!now.has(file)) known.delete(file);
    for (const file of due) if (!now.has(resolve(file))) due.delete(file);
    const fresh = [...now].filter((file) => !known.has(file));
    // Coverage and reports need all files.
    const isWhole = options.coverage || [options.junit, options.html, options.lcov].some((file) => file !== undefined);
    const touched = [...touchedBy(paths), ...fresh.filter((file) => round === null || !isRunning(file))];
    if (touched.length === 0) {
      if (round !== null) early = new Set([...early, ...paths]);
      return;
    }
    for (const file of isWhole ? now : touched) due.add(relative('.', file));
    const open = round;
    round = null;
    // Its files are in `due` and run again with the change.
    open?.child.kill('SIGKILL');
    play();
  };
  const isRunning = (file: string): boolean => round?.files.some((one) => resolve(one) === file) === true;

  /** Watches new folders before a round starts, so that no change is missed. */
  const watchAgain = (): void => {
    const isWatched = (folder: string): boolean => watched.some((other) => isInside(other, folder));
    const folders = foldersOf(places, [...known.values()]).filter((folder) => !isWatched(folder));
    watched.push(...folders);
    if (folders.length > 0) watchFiles(folders, systemClock, changed);
  };

  for (const file of testFiles(places)) due.add(file);
  watchAgain();
  play();
  await new Promise(() => undefined);
}

/** Returns the current test files; an empty list if there are none. */
function filesNow(places: readonly string[]): readonly string[] {
  try {
    return testFiles(places);
  } catch (error) {
    if (error instanceof FlowError) return [];
    throw error;
  }
}

/** Returns the folders of all files that are read, without those inside another one. */
function foldersOf(places: readonly string[], known: readonly Known[]): readonly string[] {
  const read = known.flatMap(({ reads }) => reads.paths).map((path) => dirname(path));
  const all = new Set([...places.map((place) => resolve(isFolder(place) ? place : dirname(place))), ...read]);
  const isCovered = (folder: string): boolean => [...all].some((other) => other !== folder && isInside(other, folder));
  return [...all].filter((folder) => !isCovered(folder)).toSorted();
}
