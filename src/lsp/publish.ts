import { relative, resolve } from 'node:path';
import { type Connection, type Diagnostic as Shown, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import type { Diagnostic, Severity } from '../flow/document/problems/diagnostic.ts';
import { brokenConfig } from '../flow/load/files/config-above.ts';
import type { Analyses } from './checker/analyses.ts';
import type { Configurations } from './checker/configurations.ts';
import { fileKind } from './index/flow-files.ts';
import type { Texts } from './text/texts.ts';

/** The time without typing before a flow is checked, in milliseconds. */
const quietMs = 40;

/** Checks flows while they are edited, and shows their problems in place. */
export interface Publisher {
  /** To call after a file was changed or opened. */
  changed(path: string): void;
  closed(path: string): void;
  /** To call after code may have registered other names. */
  all(): void;
  /** The problems last shown for a file. */
  shownAt(path: string): readonly Shown[];
  stop(): void;
}

export function createPublisher(
  connection: Pick<Connection, 'sendDiagnostics'>,
  root: string,
  texts: Texts,
  analyses: Analyses,
  configurations: Configurations,
): Publisher {
  /** By flow and by file: the problems in the file from that flow. */
  const found = new Map<string, ReadonlyMap<string, readonly Shown[]>>();
  const shown = new Map<string, readonly Shown[]>();
  /** By flow: open files that belong to it. They get a report even without problems. */
  const parts = new Map<string, Set<string>>();
  const timers = new Map<string, NodeJS.Timeout>();
  /** Counts the changes of each flow, so that results from before a change are not shown after it. */
  const versions = new Map<string, number>();

  const show = (paths: Iterable<string>): void => {
    for (const path of new Set(paths)) {
      const all = distinct([...found.values()].flatMap((byFile) => byFile.get(path) ?? []));
      shown.set(path, all);
      const version = texts.openVersion(path);
      // An editor that has disconnected gets no more reports.
      void connection
        .sendDiagnostics({
          uri: texts.uriOf(path),
          diagnostics: [...all],
          ...(version === null ? {} : { version }),
        })
        .catch(() => undefined);
    }
  };
  const put = (flow: string, byFile: ReadonlyMap<string, readonly Shown[]>): void => {
    const before = found.get(flow)?.keys() ?? [];
    found.set(flow, byFile);
    show([...before, ...byFile.keys()]);
  };
  const check = async (flow: string): Promise<void> => {
    const version = versions.get(flow);
    const diagnostics = await checked(flow);
    if (versions.get(flow) !== version || !found.has(flow)) return;
    put(flow, byFile(flow, diagnostics));
  };
  const checked = async (path: string): Promise<readonly Diagnostic[]> => {
    const request = { path, file: nameOf(path), unsaved: texts.unsaved() };
    try {
      if (isTest(path)) return await configurations.tests().checkTest(request);
      return await configurations.checkerFor(path).check(request);
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      const others = isTest(path) ? [] : await configurations.bare.check(request);
      return [brokenConfig(request.file, fault), ...others];
    }
  };
  /** Its name as `roomflow check` would show it in the folder of the workspace. */
  const nameOf = (path: string): string => {
    const way = relative(root, path);
    return way.startsWith('..') ? path : way;
  };
  const byFile = (flow: string, diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly Shown[]> => {
    const files = new Map<string, Shown[]>([flow, ...(parts.get(flow) ?? [])].map((path) => [path, []]));
    for (const one of diagnostics) {
      const path = resolve(root, one.file);
      const list = files.get(path) ?? [];
      list.push(toShown(one));
      files.set(path, list);
    }
    return files;
  };
  const schedule = (flow: string): void => {
    versions.set(flow, (versions.get(flow) ?? 0) + 1);
    if (!found.has(flow)) found.set(flow, new Map());
    clearTimeout(timers.get(flow));
    timers.set(
      flow,
      setTimeout(() => {
        timers.delete(flow);
        void check(flow);
      }, quietMs),
    );
  };
  const drop = (flow: string): void => {
    clearTimeout(timers.get(flow));
    timers.delete(flow);
    versions.set(flow, (versions.get(flow) ?? 0) + 1);
    const files = found.get(flow);
    found.delete(flow);
    if (files !== undefined) show(files.keys());
  };
  const isOpen = (path: string): boolean => texts.unsaved().has(path);

  return {
    changed(path) {
      configurations.refresh();
      if (isTest(path)) return schedule(path);
      // An open test may name a file that was just removed.
      for (const one of texts.unsaved().keys()) if (isTest(one)) schedule(one);
      void analyses.ownersOf(path).then((owners) => {
        if (!isOpen(path)) return;
        for (const flow of owners) {
          if (flow !== path) parts.set(flow, (parts.get(flow) ?? new Set()).add(path));
          schedule(flow);
        }
        // It was a flow, and is now a part of another flow.
        if (found.has(path) && !owners.includes(path)) drop(path);
      });
    },
    closed(path) {
      analyses.forget(path);
      for (const files of parts.values()) files.delete(path);
      for (const [flow, files] of found) {
        const isHeld = isOpen(flow) || [...files.keys(), ...(parts.get(flow) ?? [])].some(isOpen);
        if (isHeld) schedule(flow);
        else drop(flow);
      }
    },
    all() {
      for (const flow of found.keys()) schedule(flow);
    },
    shownAt: (path) => shown.get(path) ?? [],
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

function isTest(path: string): boolean {
  return fileKind(path, '') === 'test';
}

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
};

/** Codes of parts that have no effect, which editors show in grey. */
const idle: ReadonlySet<string> = new Set(['unreachable-node', 'shadowed-edge', 'say-and-prompt', 'ignored-field']);

/** A problem as editors show it. */
export function toShown({
  severity,
  code,
  message,
  hint,
  line = 1,
  column = 1,
  endLine = line,
  endColumn = column,
}: Diagnostic): Shown {
  return {
    range: {
      start: { line: line - 1, character: column - 1 },
      end: { line: endLine - 1, character: endColumn - 1 },
    },
    severity: severities[severity],
    code,
    source: 'roomflow',
    message: hint === undefined ? message : `${message} ${hint}`,
    ...(idle.has(code) ? { tags: [DiagnosticTag.Unnecessary] } : {}),
    data: { hint: hint ?? '' },
  };
}

function distinct(all: readonly Shown[]): readonly Shown[] {
  const first = new Map<string, Shown>();
  for (const one of all) {
    const key = JSON.stringify([one.range, one.code, one.message]);
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}
