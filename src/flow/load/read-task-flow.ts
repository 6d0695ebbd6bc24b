import type { Diagnostic, DocumentPath, Problem } from '../document/problems/diagnostic.ts';
import { normalizeSpelling } from '../document/problems/spelling.ts';
import { type TaskDocument, taskFlowSchema } from '../document/task-document.ts';
import { diagnose, inOrder, isError, type Locate } from './problems/diagnose.ts';
import { limits } from './limits.ts';
import { lostBy } from './yaml/lost-places.ts';
import { withoutNullTexts } from './yaml/null-texts.ts';
import type { PlainFlow } from './open-plain.ts';
import { valueAt } from './yaml/part-at.ts';
import { locateInTree, spellLike } from './yaml/positions.ts';
import { createPromptReader } from './files/prompt-file.ts';
import type { ValidPart } from './read-flow.ts';
import { repair } from './problems/repair.ts';
import { schemaProblems } from './problems/schema-problems.ts';
import { taskCertainty } from './problems/certain-task-problems.ts';
import { createTaskPrompts } from './files/task-prompts.ts';

/** A task flow as far as it is known without resolving it. */
export interface TaskFlowReading {
  /** Null if a diagnostic is an error. */
  readonly document: TaskDocument | null;
  /** If a diagnostic is an error: the flow without the wrong parts, if that is still a flow. */
  readonly rest: ValidPart<TaskDocument> | null;
  /** All problems, in the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
  /** Gives a problem of `document` its place in the file, or in its prompt file. */
  readonly locate: Locate;
}

/** Checks whether an opened source says that it is a task flow, and not a conversation. */
export function isTaskFlow({ value }: PlainFlow): boolean {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'flow')) return false;
  return !Object.hasOwn(value, 'initial_node') && !Object.hasOwn(value, 'initialNode');
}

/** Reads an opened source as a task flow, and checks its form. Never throws. */
export function readTaskFlow(plain: PlainFlow): TaskFlowReading {
  const { value, file, folder, style, found, locate: locateGiven, isQuoted } = plain;
  const locateAuthored: Locate = (problem) => locateGiven({ ...problem, path: spellLike(value, problem.path) });
  const spelled = normalizeSpelling(taskFlowSchema, withoutNullTexts(value), (path) =>
    isQuoted(spellLike(value, path)),
  );
  const { data, error } = taskFlowSchema.safeParse(spelled.value);
  const validated = { schema: taskFlowSchema, value: spelled.value, authored: value, style };
  const faults = schemaProblems(error?.issues ?? [], validated);
  const ofForm = [...found, ...[...spelled.problems, ...faults].map(locateAuthored)];
  const repaired = ofForm.some(isError) ? repair(taskFlowSchema, validated, faults) : undefined;
  const sound = repaired?.document ?? data;
  if (sound === undefined)
    return { document: null, rest: null, diagnostics: inOrder(ofForm, file), locate: locateAuthored };

  const reader = createPromptReader(folder);
  const prompts = createTaskPrompts(reader);
  const document = prompts.part(sound, []);
  const problems: Problem[] = [...prompts.problems, ...reader.problems];
  if (prompts.count > limits.nodes)
    problems.push({
      code: 'too-many-nodes',
      severity: 'error',
      path: ['nodes'],
      atKey: true,
      message: `the flow has more than ${limits.nodes} nodes.`,
      hint: 'Split the flow.',
    });
  const diagnostics = inOrder([...ofForm, ...problems.map(locateAuthored)], file);
  const locate: Locate = (problem) => {
    const promptFile = problem.path.at(-1) === 'prompt' ? reader.treeAt(problem.path.slice(0, -1)) : undefined;
    if (promptFile === undefined) return locateAuthored(problem);
    const { path } = locateAuthored({ ...problem, path: [...problem.path.slice(0, -1), 'promptFile'] });
    return diagnose(problem, path, locateInTree(promptFile, new Map(), { ...problem, path: [] }).place);
  };
  if (!diagnostics.some(isError)) return { document, rest: null, diagnostics, locate };

  const authored = { value, origin: (path: DocumentPath) => path };
  const lost = found.filter(isError).map((diagnostic) => lostBy(diagnostic, spelled.value, authored));
  const misspelled = spelled.problems.map(({ path }) => {
    return { path: spellLike(spelled.value, path), value: valueAt(value, path) };
  });
  const taken = [...(repaired?.taken ?? []), ...misspelled, ...problems, ...lost.flatMap((places) => places ?? [])];
  const certain = taskCertainty(taken);
  const isCertain = ({ code, path, within }: Problem): boolean =>
    certain(code, path, within?.text ?? valueAt(document, path));
  return { document: null, rest: lost.includes(undefined) ? null : { document, isCertain }, diagnostics, locate };
}
