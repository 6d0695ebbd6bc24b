import { defineCommand } from 'citty';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMemoryStore } from '../../store/memory/store.ts';
import { openStore } from '../../store/open-store.ts';
import { FlowError } from '../../model/errors.ts';
import { flowFile } from '../../flow/load/files/flow-file.ts';
import { taskFlowNames } from '../../flow/load/task-flows.ts';
import { hasWeights, weightsFolder } from '../../offline/ears/weights.ts';
import { createAuditBook } from '../../people/audit.ts';
import { createFiles, folderOf } from '../../studio/dev/files.ts';
import { findLiveKit, noLiveKit } from '../../studio/dev/livekit-door.ts';
import { openDevDesk } from '../../studio/dev/dev-desk.ts';
import { watchFolders } from '../../studio/dev/watch-folders.ts';
import { createEventStream } from '../../studio/event-stream.ts';
import { readAssets } from '../../studio/page-shell.ts';
import { createReveals } from '../../studio/reveals.ts';
import { assertPort, serveStudio } from '../../studio/serve-studio.ts';
import { tokenFolder } from '../../studio/token.ts';
import { systemClock, systemIds } from '../../system.ts';
import { openBrowser } from '../open-browser.ts';
import { operatorOf } from '../people/operator.ts';
import { complain, paint, print } from '../output.ts';
import { ownVersion } from '../own-version.ts';
import { portIn } from '../port-in.ts';
import { signalled } from '../signalled.ts';
import { configFile } from '../flows/sources.ts';

export const devCommand = defineCommand({
  args: {
    file: {
      type: 'positional',
      description: 'The flow file. Default: the initial flow of the configuration.',
      required: false,
    },
    config: {
      type: 'string',
      description: 'Tools, handlers, flows and models. Default: ./agent.config.ts if it exists.',
    },
    store: { type: 'string', description: 'The store of the sessions. Default: the memory of the studio.' },
    port: { type: 'string', description: 'The port. Default: 7651, or a free port if 7651 is taken.' },
    voice: {
      type: 'string',
      description: 'browser: use the speech of the browser even if a LiveKit server is available.',
    },
    host: { type: 'string', description: 'The address to listen on. Default: 127.0.0.1.' },
    open: { type: 'boolean', default: true, description: 'Do not open a browser.' },
  },
  run: ({ args }) => dev(args),
});

/** Options of `roomflow dev`. */
export interface DevArguments {
  readonly file?: string | undefined;
  readonly config?: string | undefined;
  readonly store?: string | undefined;
  readonly port?: string | undefined;
  readonly voice?: string | undefined;
  readonly host?: string | undefined;
  readonly open?: boolean | undefined;
}

/** Milliseconds per word of replies on the page: fast enough to read, slow enough to interrupt. */
const wordMs = 40;

/** Runs the studio for a flow or a configuration until the process is stopped. */
export async function dev(args: DevArguments): Promise<void> {
  const root = process.cwd();
  const config = configFile(args.config);
  const flow = args.file === undefined ? null : flowFile(args.file);
  for (const file of [flow, config])
    if (file != null && !existsSync(file)) throw new FlowError('file-not-found', `${file} does not exist.`);
  if (flow === null && config === undefined)
    throw new FlowError(
      'flow-missing',
      'there is no flow to open. Give a FLOW, or --config FILE with flows or a prompt.',
    );
  if (args.voice !== undefined && args.voice !== 'browser')
    throw new FlowError('option-invalid', `--voice accepts only "browser", not "${args.voice}".`);
  // Checked here because the second process would report it as well.
  if (flow !== null && taskFlowNames({ flow }).has('flow'))
    throw new FlowError('flow-invalid', `${args.file} is a task flow. Run it: roomflow run ${args.file}`);
  const port = portIn(args.port);
  await assertPort(port, args.host);
  const folders = [...new Set([flow, config ?? null].flatMap((file) => (file === null ? [] : [folderOf(file)])))];
  const store =
    args.store === undefined
      ? createMemoryStore({ clock: systemClock })
      : await openStore(args.store, { clock: systemClock });
  const news = createEventStream();
  useWeightsOf(packageRoot(root));
  const more = [flow, config ?? null].flatMap((file) => (file === null ? [] : [resolve(file)]));
  const files = (flowFiles: () => readonly string[]) =>
    createFiles(root, () => ({ files: more, folders: [...new Set(flowFiles().map(folderOf))] }));
  const desk = await openDevDesk({
    ...{ store, news, files, clock: systemClock, ids: systemIds },
    watch: (onSaved) => watchFolders(folders, systemClock, onSaved),
    ...{ program: fileURLToPath(new URL('../stage.js', import.meta.url)), root },
    // A flow file alone gets pretended functions. If a configuration is named, its functions are used.
    settings: { flow, config: config ?? null, isAlone: flow !== null && args.config === undefined, wordMs },
    door: (lacks) =>
      args.voice === 'browser' ? noLiveKit() : findLiveKit(process.env, packageRoot(root), systemClock, lacks),
    // Loaded on demand: playing the saved test needs modules that are slow to load. Calls run in their own process.
    async saveTest(given) {
      const { saveTest } = await import('../test/save-test.ts');
      return await saveTest({ store, root, config: config ?? null }, given);
    },
  });
  const asked = signalled();
  try {
    const studio = await serveStudio({
      ...{ desk, port, host: args.host, clock: systemClock, version: ownVersion(), hosts: [], publicUrl: null },
      assets: readAssets(fileURLToPath(new URL('../../studio/page', import.meta.url))),
      access: {
        local: operatorOf(null).actor,
        others: null,
        authority: null,
        audit: createAuditBook({ store, clock: systemClock }),
      },
      // On the developer's own machine nothing is masked.
      reveals: createReveals(
        () => systemClock.now(),
        () => Promise.resolve(),
      ),
      log: { info: () => undefined, error: ({ error }) => complain(`studio: ${String(error)}`) },
      tokenFolder: tokenFolder(process.env),
    });
    await printStart(desk, studio.address);
    if (args.open !== false) openBrowser(studio.address);
    await asked;
    await studio.stop();
  } finally {
    await desk.stop();
    await store.close();
  }
}

async function printStart(desk: Awaited<ReturnType<typeof openDevDesk>>, address: string): Promise<void> {
  const { flow, flows, model, voice, pretended, notes } = await desk.about();
  const errors = flow?.problems.filter(({ severity }) => severity === 'error') ?? [];
  print(`${paint('bold', 'Roomflow studio')}  ${address}`);
  print(
    paint(
      'dim',
      `  flow   ${flow?.name ?? ''}${flow?.file == null ? '' : `  (${flow.file})`}${flows.length > 1 ? `, and ${flows.slice(1).join(', ')}` : ''}`,
    ),
  );
  print(paint('dim', `  model  ${model ?? ''}`));
  print(paint('dim', `  voice  ${voice.how}`));
  if (pretended.length > 0) print(paint('dim', `  pretended, because no code registers them: ${pretended.join(', ')}`));
  for (const note of notes) print(paint('dim', `  ${note}`));
  for (const { file, line, column, code, message } of errors.slice(0, 5))
    complain(`${file}:${line ?? 1}:${column ?? 1} ${code}: ${message}`);
  if (errors.length > 5) complain(`and ${errors.length - 5} more errors: see the page.`);
  print(paint('dim', 'A saved file changes the running conversation. Ctrl-C stops the studio.'));
}

/** Uses the speech weights that the tests of a checkout have fetched if the user has none. */
function useWeightsOf(root: string): void {
  const cache = resolve(root, '.cache');
  const isNamed = (process.env['ROOMFLOW_CACHE'] ?? '') !== '';
  if (!isNamed && !hasWeights() && hasWeights(weightsFolder(cache))) process.env['ROOMFLOW_CACHE'] = cache;
}

/**
 * Returns the checkout of this package, whose cache may hold a LiveKit server built by its tests, or else the project
 * folder.
 */
function packageRoot(folder: string): string {
  const own = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
  return existsSync(resolve(own, '.cache')) ? own : folder;
}
