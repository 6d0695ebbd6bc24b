import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { FlowError } from '../errors.ts';
import { isError } from '../load/diagnose.ts';
import type { Store } from '../ports/store.ts';
import type { SavedTest } from '../studio/protocol/acts.ts';
import type { Scenario } from '../testing/flowtest/document.ts';
import { openTest } from '../testing/flowtest/open-test.ts';
import { recordSession } from '../testing/flowtest/record-session.ts';
import { testFileOf } from '../testing/flowtest/write-test.ts';
import { playRecorded } from './play-recorded.ts';

/** A conversation that is to become a test. */
export interface ConversationToSave {
  readonly sessionId: string;
  /** The flow that it began in: its name, and its file (absolute); a null file is of a flow in code. */
  readonly flow: { readonly name: string; readonly file: string | null };
  /** The test's name, without `.flowtest.yaml`; null makes one that is free. */
  readonly name: string | null;
}

export interface TestSaverParts {
  readonly store: Store;
  /** Where the studio was started: paths are told from there. */
  readonly root: string;
  /** The configuration, for flows that are written in code. */
  readonly config: string | null;
}

const about = 'Saved by the studio. What was personal has stand-ins: look through it before you keep it.';
/** Letters, digits, `_` and `-`: no name leads out of the folder. */
const nameForm = /^[\w-]{1,80}$/;

/**
 * Writes a conversation as a test beside its flow, never over a file that is there, and plays it once. Throws
 * `file-exists`, `request-invalid` for another name, `file-not-found` where the flow's file is gone, and `copy-impossible` for a flow
 * that no test can open.
 */
export async function saveTest(parts: TestSaverParts, given: ConversationToSave): Promise<SavedTest> {
  const { store, root, config } = parts;
  const { sessionId, flow, name } = given;
  if (name !== null && !nameForm.test(name))
    throw new FlowError('request-invalid', 'the name of a test is letters, digits, "_" and "-".');
  if (flow.file === null && config === null)
    throw new FlowError('copy-impossible', 'a flow in code without a configuration cannot be opened by a test.');
  if (flow.file !== null && !existsSync(flow.file))
    throw new FlowError('file-not-found', `the file of flow "${flow.name}" is gone.`);
  const recorded = await recordSession(store, sessionId);
  const { scenario, notes, needsConfig } = recorded;
  if ((scenario.turns ?? []).length === 0)
    throw new FlowError('copy-impossible', 'nothing was said yet. Talk first, and then save it.');
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
    // Whatever is there by now, a link too, is left as it is.
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new FlowError('file-exists', `${shown(root, file)} is there already. Choose another name.`);
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
  // The flow is not whole without its configuration, as with node types of a pack.
  const whole = textOf(scenario, config);
  writeFileSync(file, whole);
  return { ...saved, text: whole, outcome: notPlayed };
}

/** The author's code runs in a process of its own, and not in that of the studio. */
const notPlayed: SavedTest['outcome'] = { is: 'unknown', why: 'it runs code of yours: run it to see.' };

/** The first of `BASE.saved`, `BASE.saved-2`, … that is free. */
function freeName(folder: string, base: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? `${base}.saved` : `${base}.saved-${count}`;
    if (!existsSync(join(folder, `${name}.flowtest.yaml`))) return name;
  }
}

function shown(root: string, file: string): string {
  return relative(root, file).replaceAll('\\', '/');
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
