import type { llm } from '@livekit/agents';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { openConfig, type OpenedConfig } from '../config/config.ts';
import { factOf, FlowError } from '../model/errors.ts';
import type { Diagnostic, DocumentPath, Problem } from '../flow/document/problems/diagnostic.ts';
import { normalizeSpelling } from '../flow/document/problems/spelling.ts';
import { inOrder, isError } from '../flow/load/problems/diagnose.ts';
import type { FlowSource } from '../flow/load/files/flow-library.ts';
import { importDefault } from '../flow/load/files/import-default.ts';
import { openPlain, type PlainFlow } from '../flow/load/open-plain.ts';
import type { Unsaved } from '../flow/load/yaml/read-text.ts';
import { schemaProblems } from '../flow/load/problems/schema-problems.ts';
import { plugInOf } from '../livekit/plug-ins/plug-in-choice.ts';
import { nameProblems } from './document/check-names.ts';
import { type FlowTest, type FlowTestDocument, flowTestSchema } from './document/document.ts';
import { placeIn } from './document/flow-places.ts';
import { soundPart } from './play/sound-part.ts';
import { openTestedFlow, shownPath } from './open-flow.ts';
import type { OpenedTest } from './opened-test.ts';

/** An opened file of tests. `test` is null if it has errors. */
export interface TestOpening {
  readonly test: OpenedTest | null;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Opens a file of tests, or a test object, with its flow and its configuration. Errors are reported with their places.
 * It never throws because of an error by the user. `unsaved` has texts of an editor that replace files.
 */
export async function openTest(
  source: string | FlowTest,
  baseFolder = process.cwd(),
  unsaved?: Unsaved,
): Promise<TestOpening> {
  const isFile = typeof source === 'string';
  const isCode = isFile && /\.[cm]?[jt]s$/.test(source);
  let plain: PlainFlow;
  try {
    const given = isCode ? ((await importDefault(source)) as object) : source;
    plain = openPlain(given, {
      file: isFile ? shownPath(source) : '<test>',
      ...(unsaved === undefined ? {} : { unsaved }),
    });
  } catch (error) {
    if (error instanceof FlowError) return refused(isFile ? source : '<test>', error);
    throw error;
  }
  const { value, found, locate, style, file, isQuoted } = plain;
  const aboutTests = found.map(asOfTest);
  if (value === undefined) return { test: null, diagnostics: aboutTests };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const hint = 'Begin with flow and scenarios.';
    const problem: Problem = {
      code: 'not-a-map',
      severity: 'error',
      path: [],
      message: 'a file of tests is a map of keys.',
      hint,
    };
    return { test: null, diagnostics: [...aboutTests, locate(problem)] };
  }
  const spelled = normalizeSpelling(flowTestSchema, value, isQuoted);
  const { data, error } = flowTestSchema.safeParse(spelled.value);
  const validated = { schema: flowTestSchema, value: spelled.value, authored: value, style, whole: 'the test file' };
  const ofForm = [...spelled.problems, ...schemaProblems(error?.issues ?? [], validated)].map(locate);
  const told = [...aboutTests, ...ofForm];
  // In a text that cannot be read to its end, some names may be missing.
  const rest = aboutTests.some(isError) ? null : (data ?? soundPart(spelled.value as object, error?.issues ?? []));
  if (rest === null) return { test: null, diagnostics: inOrder(told, file) };
  return await withFlow(rest, isFile ? dirname(source) : baseFolder, file, locate, told, unsaved);
}

async function withFlow(
  document: FlowTestDocument,
  folder: string,
  file: string,
  locate: (problem: Problem) => Diagnostic,
  told: readonly Diagnostic[],
  unsaved: Unsaved | undefined,
): Promise<TestOpening> {
  const tell = (code: string, path: DocumentPath, message: string, hint?: string): TestOpening => {
    const problem: Problem = { code, severity: 'error', path, message, ...(hint === undefined ? {} : { hint }) };
    return { test: null, diagnostics: inOrder([...told, locate(problem)], file) };
  };
  let config: OpenedConfig | null = null;
  try {
    config = document.config === undefined ? null : await openConfig(pathFrom(folder, document.config));
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    return tell(error.code, ['config'], factOf(error));
  }
  const named = config?.flows?.[document.flow] as FlowSource | undefined;
  const source = named ?? pathFrom(folder, document.flow);
  let opening: Awaited<ReturnType<typeof openTestedFlow>>;
  try {
    opening = await openTestedFlow(source, config, unsaved);
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    return tell(error.code, ['flow'], factOf(error));
  }
  if (opening.flow === null) {
    const [first] = opening.diagnostics;
    const isMissing = first?.code === 'file-not-found';
    if (opening.fault !== null) return tell('flow-invalid', ['flow'], `"${document.flow}" ${opening.fault}`);
    if (isMissing)
      return tell(
        'file-not-found',
        ['flow'],
        `there is no flow at ${shownPath(pathFrom(folder, document.flow))}.`,
        first?.hint,
      );
    const broken = tell('flow-invalid', ['flow'], 'the flow has errors.', 'Correct them. They are listed below.');
    return { test: null, diagnostics: [...broken.diagnostics, ...opening.diagnostics.filter(isError)] };
  }
  const { flow } = opening;
  const names = nameProblems(document, flow).map(locate);
  const diagnostics = inOrder([...told, ...names], file);
  if (diagnostics.some(isError)) return { test: null, diagnostics };
  return {
    diagnostics,
    test: {
      file,
      document,
      flow,
      placeOf: (path) => placeIn(locate({ code: '', severity: 'note', message: '', path })),
      openModel: () => liveModel(config),
      warnings: diagnostics,
    },
  };
}

/** A path relative to a folder. */
function pathFrom(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

/** The model of a live test. Throws `key-missing` if none is configured: rules are not a model to try prompts on. */
async function liveModel(config: OpenedConfig | null): Promise<llm.LLM> {
  // Loads LiveKit, which checks of tests do not need.
  const { openModel } = await import('../livekit/plug-ins/models.ts');
  const choice = (await plugInOf(config?.models?.llm)) ?? 'openai';
  return (await openModel(choice, process.env)).model;
}

function refused(file: string, error: FlowError): TestOpening {
  const diagnostic: Diagnostic = {
    code: error.code,
    severity: 'error',
    message: factOf(error),
    path: [],
    file: relative('.', file),
  };
  return { test: null, diagnostics: [diagnostic] };
}

/** Adapts a diagnostic about reading a flow to tests. */
function asOfTest(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.code !== 'empty-file') return diagnostic;
  return { ...diagnostic, message: 'there is no test here.', hint: 'Begin with flow and scenarios.' };
}
