import { defineCommand, runCommand } from 'citty';
import type { OpenedConfig } from '../../config/config.ts';
import { existingStore, lastingStore, type StoreAccess } from '../../store/open-store.ts';
import { type Parting, replay, replayAgainst } from '../../store/replay.ts';
import { replayRun, replayRunAgainst, type RunParting } from '../../runner/tasks/replay-run.ts';
import type { VersionOptions } from '../../runner/tasks/run-version.ts';
import {
  findSession,
  keptSession,
  readKept,
  sessionUnknown,
  standIn,
  standOf,
  valuesOf,
} from '../../runner/conversation/kept-sessions.ts';
import { taskRunState } from '../../runner/tasks/task-run-state.ts';
import { replayPlan } from '../../people/schedules/replay-plan.ts';
import { assertFreeId, isPlanSession } from '../../model/own-sessions.ts';
import { FlowError } from '../../model/errors.ts';
import type { Event } from '../../model/events/event.ts';
import type { Json } from '../../model/json.ts';
import { isTurnTrace } from '../../model/events/turn-trace.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { isGeneratorDocument } from '../../flow/graph/generator-graph.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import { createFlowLibrary } from '../../flow/load/files/flow-library.ts';
import { turnLine } from '../../livekit/traces/turn-line.ts';
import { loadTaskGraph } from '../../flow/load/load-task-graph.ts';
import { builtinCatalog } from '../../flow/nodes/builtin.ts';
import type { NewAuditRecord } from '../../model/ports/inbox.ts';
import type { SessionSnapshot, SessionSummary, Store } from '../../model/ports/store.ts';
import { systemClock } from '../../system.ts';
import { shownOwner } from '../../engine/session/process-owner.ts';
import { assertAllowed, assertMayReveal, denialsWrittenDown, type Operator, operatorOf } from './operator.ts';
import { complain, paint, print, printRow } from '../output.ts';
import { filterArgs, isFiltered, meets, olderThan, placeOf } from './session-filter.ts';
import { checkReplayed, configFile, openConfig } from '../flows/sources.ts';
import { waterfall } from '../run/waterfall.ts';
import { readOldSignal } from '../../runner/read-old-signal.ts';
import { counted } from '../../model/ports/counted.ts';

export const storeArgs = {
  store: { type: 'string', description: 'The store of the sessions. Default: the store of the configuration.' },
  config: { type: 'string', description: 'Tools and flows. Default: ./agent.config.ts if it exists.' },
} as const;
export const sessionArgs = {
  id: { type: 'positional', description: 'The id of the session, or its name in logs.', required: true },
  ...storeArgs,
} as const;
const readArgs = {
  ...sessionArgs,
  reveal: {
    type: 'boolean',
    description: 'Show the values of slots with `pii: true` and the words of the conversation.',
  },
} as const;

interface StoreArguments {
  readonly store?: string | undefined;
  readonly config?: string | undefined;
}

export const sessionsCommand = defineCommand({
  args: {
    ...storeArgs,
    limit: { type: 'string', description: 'The maximum number of sessions. Default: 20.' },
    prefix: { type: 'string', description: 'Only sessions whose ids begin with this text, such as schedule/.' },
    ...filterArgs,
    json: { type: 'boolean', description: 'Print one JSON object per line.' },
  },
  run: ({ args }) =>
    inStore(args, async (store, config) => {
      await assertAllowed(operatorOf(config), 'session:list', {});
      const limit = countIn('--limit', args.limit, 20);
      const now = systemClock.now();
      olderThan(args, now);
      const isAll = !isFiltered(args);
      const query = { limit: isAll ? limit : Number.MAX_SAFE_INTEGER, prefix: args.prefix ?? '' };
      let shown = 0;
      for (const session of await store.sessions.list(query)) {
        if (shown >= limit) break;
        const kept = await keptSession(store, session.sessionId);
        if (!isAll && !(await meets(store, args, session, kept, now))) continue;
        shown += 1;
        printRow(await lineOf(store, session, kept, args.json === true));
      }
      const which = args.prefix === undefined ? '' : ` whose id begins with "${args.prefix}"`;
      const such = isAll ? '' : ' that meet these conditions';
      if (shown === 0 && args.json !== true) print(paint('dim', `The store has no sessions${which}${such}.`));
    }),
});

export const showCommand = defineCommand({
  args: {
    ...readArgs,
    events: { type: 'string', description: 'The number of last events. Default: 20.' },
    turns: { type: 'boolean', description: 'Show each turn with its times instead of the events.' },
  },
  run: ({ args }) =>
    inStore(args, async (...opened) => {
      const count = countIn('--events', args.events, 20);
      const { snapshot, effects, events } = await read(opened, args);
      printRow(`${snapshot.sessionId}  ${standOf(snapshot.state, effects)}  ${counted(snapshot.seq, 'signal')}`);
      print(`  flow ${snapshot.graphHash}`);
      for (const line of valuesOf(snapshot.state)) printRow(`  ${line}`);
      for (const { key, kind, state } of effects)
        if (state === 'intended' || state === 'started') printRow(`  open: ${kind} ${key} (${state})`);
      if (args.turns === true) return printTurns(events);
      for (const event of events.slice(-count)) printRow(`  ${eventLine(event)}`, 'dim');
    }),
});

export const exportCommand = defineCommand({
  args: {
    ...readArgs,
    id: {
      ...readArgs.id,
      description: 'The id of the session, or its name in logs. With --to: the file of a flow.',
    },
    to: { type: 'string', description: 'Convert a flow to pipecat (static JSON), mermaid, dot, html or svg instead.' },
    out: { type: 'string', description: 'With --to: the output file. Default: standard output.' },
    force: { type: 'boolean', description: 'With --to: overwrite an existing file.' },
  },
  async run({ args }) {
    if (args.to !== undefined) {
      const { exportFlow } = await import('../flows/export-flow.ts');
      return exportFlow(args.id, args.to, args);
    }
    if (args.out !== undefined || args.force === true)
      throw new FlowError(
        'option-invalid',
        '--out and --force work only with --to pipecat, mermaid, dot, html or svg.',
      );
    return inStore(args, async (...opened) => {
      const { snapshot, signals, effects, events, flow } = await read(opened, args);
      print(JSON.stringify({ snapshot, signals, effects, events, flow }, null, 2));
    });
  },
});

export const replayCommand = defineCommand({
  args: { ...sessionArgs, against: { type: 'string', description: 'A changed flow.' } },
  run: ({ args }) =>
    inStore(args, async (store, config) => {
      const kept = await readable(store, operatorOf(config), args.id);
      const { sessionId, state } = kept;
      if (isPlanSession(sessionId)) {
        if (args.against === undefined) return tellReplayed(await replayPlan(store, kept));
        throw new FlowError('session-kind-wrong', `"${sessionId}" runs no flow. Leave out --against.`);
      }
      const isRun = taskRunState(state) !== null;
      // Throws if a newer release has stored the session.
      if (!isRun) readState(state);
      const other = args.against === undefined ? null : await flowToReplay(args.against, config, isRun);
      if (other === null) {
        const replayed = isRun
          ? await replayRun(store, sessionId, taskCompilerOf(config))
          : await replay(store, sessionId, { compile: compilerOf(config), read: readOldSignal });
        return tellReplayed(replayed);
      }
      const parting =
        'tasks' in other
          ? await replayRunAgainst(store, sessionId, taskCompilerOf(config), other.tasks)
          : await replayAgainst(store, sessionId, { compile: compilerOf(config), read: readOldSignal }, other.graph);
      print(parting === null ? 'The changed flow takes the same path.' : textOf(parting));
      if (parting !== null) process.exitCode = 1;
    }),
});

function tellReplayed({ signals, isKept }: { readonly signals: number; readonly isKept: boolean }): void {
  const came = isKept ? 'the stored state' : 'another state than the stored one';
  print(`${counted(signals, 'signal')} ${signals === 1 ? 'folds' : 'fold'} to ${came}.`);
  if (!isKept) process.exitCode = 1;
}

/** Opens a changed flow of the kind that the session ran. Throws `flow-invalid`. */
async function flowToReplay(file: string, config: OpenedConfig | null, isRun: boolean) {
  const { graph, tasks } = await checkReplayed(file, config);
  if (isRun && tasks !== null) return { tasks };
  if (!isRun && graph !== null) return { graph };
  const isOtherKind = graph !== null || tasks !== null;
  throw new FlowError(
    'flow-invalid',
    isOtherKind
      ? `${file} is a ${isRun ? 'conversation' : 'task flow'}, and the session ran a ${isRun ? 'task flow' : 'conversation'}.`
      : `${file} cannot run. See "roomflow check ${file}".`,
  );
}

/** The same as `roomflow chat --session ID` for a stored conversation. */
export const resumeCommand = defineCommand({
  args: {
    ...sessionArgs,
    flow: { type: 'string', description: 'Its flow or a newer version. Functions without code are pretended.' },
  },
  async run({ args: { id, store, config, flow } }) {
    let sessionId = id;
    await inStore({ store, config }, async (opened, openedConfig) => {
      const kept = await readable(opened, operatorOf(openedConfig), id);
      assertFreeId(kept.sessionId);
      // Throws for a run of a task flow, which `roomflow run` continues.
      readState(kept.state);
      ({ sessionId } = kept);
    });
    const given = Object.entries({ config, flow, store }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, value],
    );
    // Imported here because it loads LiveKit, which takes about a second.
    const { chatCommand } = await import('../run/chat.ts');
    await runCommand(chatCommand, { rawArgs: ['--session', sessionId, ...given] });
  },
});

function textOf(parting: Parting | RunParting): string {
  const { seq, signal } = parting;
  if ('task' in parting)
    return `They differ from signal ${seq} (${signal}) on: task ${parting.task} has another result.`;
  const { node, otherNode } = parting;
  const there = node === otherNode ? `both are in ${node}, with different states` : `${node} becomes ${otherNode}`;
  return `They differ from signal ${seq} (${signal}) on: ${there}.`;
}

/**
 * Reads a session if the user may read it and, with `reveal`, see its personal values. Throws `not-allowed` or
 * `session-unknown`.
 */
async function read(
  [store, config, writeDown]: OpenedStore,
  { id, reveal = false }: { readonly id: string; readonly reveal?: boolean | undefined },
): Promise<Awaited<ReturnType<typeof readKept>>> {
  const operator = operatorOf(config);
  const kept = await readable(store, operator, id);
  if (reveal) await assertMayReveal(operator, kept.sessionId, writeDown);
  return await readKept(store, kept, reveal);
}

/** Throws `not-allowed` also for a session that does not exist, so that the answer does not reveal which ones do. */
export async function readable(store: Store, operator: Operator, given: string): Promise<SessionSnapshot> {
  const found = await findSession(store, given);
  await assertAllowed(operator, 'session:read', { sessionId: found?.sessionId ?? given });
  return found ?? sessionUnknown(given);
}

/**
 * The arguments of a command in a store. `writeDown` appends an audit record, even if the store is open for reading.
 */
type OpenedStore = readonly [
  store: Store,
  config: OpenedConfig | null,
  writeDown: (record: NewAuditRecord) => Promise<void>,
];

/**
 * Opens the store that the arguments name, for reading unless `access` says otherwise. `make` creates a store that does
 * not exist.
 */
export async function inStore(
  args: StoreArguments,
  use: (...opened: OpenedStore) => Promise<void>,
  access: StoreAccess | 'make' = 'read',
): Promise<void> {
  const config = await openConfig(configFile(args.config));
  const choice = args.store ?? config?.store;
  const open = (mode: StoreAccess) => existingStore(choice, process.env, systemClock, mode);
  // A signal would end the process at once and leave behind the temporary copy of a store that cannot be read directly.
  const stop = (signal: NodeJS.Signals): void => process.exit(signal === 'SIGINT' ? 130 : 143);
  if (access === 'read') for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const store = access === 'make' ? await lastingStore(choice, process.env, systemClock, complain) : await open(access);
  const writeDown = async (record: NewAuditRecord): Promise<void> => {
    const writable = access === 'read' ? await open('write') : store;
    await writable.inbox.post([], [record]);
    if (writable !== store) await writable.close();
  };
  try {
    await denialsWrittenDown(writeDown, () => use(store, config, writeDown));
  } finally {
    await store.close();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}

function countIn(option: string, given: string | undefined, otherwise: number): number {
  const count = Number(given ?? otherwise);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new FlowError('option-invalid', `${option} must be a whole number above 0.`);
}

function printTurns(events: readonly Event[]): void {
  const turns = events.filter((event) => event.type === 'turn:completed');
  for (const [head = '', ...lines] of turns.map(waterfall)) {
    print('');
    printRow(head);
    for (const line of lines) printRow(line, 'dim');
  }
  if (turns.length === 0) print(paint('dim', '  No turn has ended.'));
}

function eventLine({ seq, time, type, nodeId = '', data }: Event): string {
  if (type === 'turn:completed' && isTurnTrace(data))
    return [seq, new Date(time).toISOString(), type, turnLine(data)].join('  ');
  const facts = Object.entries(data).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [seq, new Date(time).toISOString(), type, ...(nodeId === '' ? [] : [`@${nodeId}`]), ...facts].join('  ');
}

async function lineOf(store: Store, session: SessionSummary, kept: SessionSnapshot, isJson: boolean): Promise<string> {
  const { sessionId, seq, lease } = session;
  const stand = await standIn(store, kept);
  const updatedAt = new Date(session.updatedAt).toISOString();
  const owner = lease !== null && lease.expiresAt > Date.now() ? shownOwner(lease.owner) : null;
  if (isJson) return JSON.stringify({ sessionId, updatedAt, stand, ...placeOf(kept), signals: seq, owner });
  return `${sessionId}  ${updatedAt}  ${stand}  ${counted(seq, 'signal')}${owner === null ? '' : `  owned by ${owner}`}`;
}

function compilerOf(config: OpenedConfig | null): (document: Json) => Promise<Graph> {
  return async (document) => {
    if (isGeneratorDocument(document))
      return createFlowLibrary(config?.flows ?? {}, { catalog: config?.catalog ?? builtinCatalog }).compileKept(
        document,
      );
    const { graph } = await checkReplayed(document as object, config); // The store keeps flow documents here.
    if (graph !== null) return graph;
    throw new FlowError(
      'flow-version-missing',
      'the flow of this session cannot be read. Use the --config that it ran with, or the release that ran it.',
    );
  };
}

/** Returns a compiler for stored versions of task flows, with the node types of the configuration. */
function taskCompilerOf(config: OpenedConfig | null): VersionOptions['compile'] {
  const catalog = config?.catalog ?? builtinCatalog;
  return (document, name) => loadTaskGraph(document as object, { catalog, name }); // The store keeps flow documents here.
}
