import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { FlowError } from '../../model/errors.ts';
import { isError } from '../../flow/load/problems/diagnose.ts';
import type { Store } from '../../model/ports/store.ts';
import type { SavedTest } from '../../studio/protocol/acts.ts';
import type { Scenario } from '../../flowtest/document/document.ts';
import { openTest } from '../../flowtest/open-test.ts';
import { recordSession } from '../../flowtest/record/record-session.ts';
import { testFileOf } from '../../flowtest/record/write-test.ts';
import { playRecorded } from '../run/play-recorded.ts';

/** A conversation to save as a test. */
export interface ConversationToSave {
  readonly sessionId: string;
  /** The flow that it started in: its name and absolute file; the file is null for a flow in code. */
  readonly flow: { readonly name: string; readonly file: string | null };
  /** The name of the test without `.flowtest.yaml`; null chooses a free name. */
  readonly name: string | null;
}

export interface TestSaverParts {
  readonly store: Store;
  /** The folder where the studio was started; paths are shown relative to it. */
  readonly root: string;
  /** The configuration, for flows in code. */
  readonly config: string | null;
}

const about = 'Saved by the studio. Personal values are replaced by stand-ins: review the file before you keep it.';
/** Letters, digits, `_` and `-`: a name cannot leave the folder. */
const nameForm = /^[\w-]{1,80}$/;

/**
 * Writes a conversation as a test beside its flow and plays it once. Never overwrites a file. Throws `file-exists`,
 * `request-invalid` for a bad name, `file-not-found` if the flow's file is missing, and `copy-impossible` for a flow
 * that no test can open.
 */
export async function saveTest(parts: TestSaverParts, given: ConversationToSave): Promise<SavedTest> {
  const { store, root, config } = parts;
  const { sessionId, flow, name } = given;
  if (name !== null && !nameForm.test(name))
    throw new FlowError('request-invalid', 'the name of a test may contain letters, digits, "_" and "-".');
  if (flow.file === null && config === null)
    throw new FlowError('copy-impossible', 'a test cannot open a flow in code without a configuration.');
  if (flow.file !== null && !existsSync(flow.file))
    throw new FlowError('file-not-found', `the file of flow "${flow.name}" does not exist.`);
  const recorded = await recordSession(store, sessionId);
  const { scenario, notes, needsConfig } = recorded;
  if ((scenario.turns ?? []).length === 0)
    throw new FlowError('copy-impossible', 'the conversation is empty. Talk to the flow first, then save it.');
  const folder = realpathSync(dirname(flow.file ?? config ?? root));
  const base = flow.file === null ? flow.name.replaceAll(/[^\w-]/g, '-') : basename(flow.file).replace(/\.\w+$/, '');
  const file = join(folder, `${name ?? freeName(folder, base)}.flowtest.yaml`);
  const withConfig = config !== null && (flow.file === null || needsConfig);
  const textOf = (one: Scenario, by: string | undefined): string =>
    flow.file === null
      ? testFileOf(file, flow.name, about, [one], config ?? undefined, 'name')
      : testFileOf(file, realpathSync(flow.file), about, [one], by);
  const text = textOf(scenario, withConfig ? config : undefined);
  try {
    // Fails if anything exists at the path, including a link.
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new FlowError('file-exists', `${shown(root, file)} already exists. Choose another name.`);
  }
  const path = shown(root, file);
  const saved = { path, notes, command: `npx roomflow test ${quoted(path)}` };
  if (withConfig || flow.file === null || !/\.(?:ya?ml|json)$/.test(flow.file))
    return { ...saved, text, outcome: notPlayed };
  const { test, diagnostics } = await openTest(file);
  if (test !== null) {
    const { outcome, ...fresh } = await playRecorded(test, recorded, (one) => {
      const changed = textOf(one, undefined);
      writeFileSync(file, changed);
      return changed;
    });
    return { ...saved, text: fresh.text ?? text, notes: fresh.notes, outcome };
  }
  const fault = diagnostics.find(isError)?.message ?? 'the test cannot be opened.';
  if (config === null) return { ...saved, text, outcome: { is: 'fails', why: fault } };
  // The flow needs its configuration, for example for node types of a pack.
  const whole = textOf(scenario, config);
  writeFileSync(file, whole);
  return { ...saved, text: whole, outcome: notPlayed };
}

/** Code of the author must not run in the process of the studio. */
const notPlayed: SavedTest['outcome'] = {
  is: 'unknown',
  why: 'the test runs your own code. Run it to see the result.',
};

/** Returns the first free name of `BASE.saved`, `BASE.saved-2`, … */
function freeName(folder: string, base: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? `${base}.saved` : `${base}.saved-${count}`;
    if (!existsSync(join(folder, `${name}.flowtest.yaml`))) return name;
  }
}

function shown(root: string, file: string): string {
  return relative(root, file).replaceAll('\\', '/');
}

/** Quotes a path for a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
