import { existsSync } from 'node:fs';
import { defineCommand, runCommand } from 'citty';
import type { AgentConfig } from '../config.ts';
import { chosenStore, defaultStore, openStore } from '../durable/open-store.ts';
import { type Parting, replay, replayAgainst } from '../durable/replay.ts';
import { FlowError } from '../errors.ts';
import type { Json } from '../events/json.ts';
import type { Graph } from '../graph/graph.ts';
import { isGeneratorDocument } from '../graph/generator-graph.ts';
import { readState } from '../kernel/upgrade.ts';
import { createFlowLibrary } from '../load/flow-library.ts';
import { builtinCatalog } from '../nodes/builtin.ts';
import type { SessionSummary, Store } from '../ports/store.ts';
import { systemClock } from '../session/system.ts';
import { chatCommand } from './chat.ts';
import { paint, print } from './output.ts';
import { checkSource, defaultConfig, openConfig } from './sources.ts';

const storeArgs = {
  store: { type: 'string', description: 'Where sessions are kept; the configuration’s store where absent.' },
  config: { type: 'string', description: 'Tools and flows; ./agent.config.ts where there is one.' },
} as const;
const sessionArgs = {
  id: { type: 'positional', description: 'The id of the session.', required: true },
  ...storeArgs,
} as const;

interface StoreArguments {
  readonly store?: string | undefined;
  readonly config?: string | undefined;
}

export const sessionsCommand = defineCommand({
  meta: { name: 'sessions', description: 'List the sessions of a store, the latest first.' },
  args: { ...storeArgs, limit: { type: 'string', description: 'How many; 20 where absent.' } },
  run: ({ args }) =>
    inStore(args, async (store) => {
      const limit = Number(args.limit ?? 20);
      if (!Number.isInteger(limit) || limit < 1)
        throw new FlowError('option-invalid', '--limit must be a whole number above 0.');
      const sessions = await store.listSessions(limit);
      for (const session of sessions) print(await lineOf(store, session));
      if (sessions.length === 0) print(paint('dim', 'The store keeps no session.'));
    }),
});

export const showCommand = defineCommand({
  meta: { name: 'show', description: 'Show what a session knows, and what it has open.' },
  args: sessionArgs,
  run: ({ args }) =>
    inStore(args, async (store) => {
      const kept = await keptIn(store, args.id);
      const { status, flow, node, slots, variables } = readState(kept.state);
      print(`${args.id}  ${status}  ${flow.id} @ ${node}  ${kept.seq} signals`);
      for (const [name, { value, confirmed }] of Object.entries(slots))
        print(`  ${name} = ${JSON.stringify(value)}${confirmed ? '' : '  (not confirmed)'}`);
      for (const [name, value] of Object.entries(variables)) print(`  ${name} = ${JSON.stringify(value)}`);
      for (const { key, kind, state } of await store.loadEffects(args.id))
        if (state === 'intended' || state === 'started') print(`  open: ${kind} ${key} (${state})`);
    }),
});

export const exportCommand = defineCommand({
  meta: { name: 'export', description: 'Write all that is kept of a session as JSON.' },
  args: sessionArgs,
  run: ({ args }) =>
    inStore(args, async (store) => {
      const snapshot = await keptIn(store, args.id);
      const [signals, effects, events, flow] = await Promise.all([
        store.readLog(args.id),
        store.loadEffects(args.id),
        store.readEvents(args.id),
        store.loadGraph(snapshot.graphHash),
      ]);
      print(JSON.stringify({ snapshot, signals, effects, events, flow }, null, 2));
    }),
});

export const replayCommand = defineCommand({
  meta: {
    name: 'replay',
    description: 'Fold the log of a session anew: the same state, or where a changed flow would part ways.',
  },
  args: { ...sessionArgs, against: { type: 'string', description: 'A changed flow.' } },
  run: ({ args }) =>
    inStore(args, async (store, config) => {
      const compile = compilerOf(config);
      if (args.against !== undefined) {
        const { graph } = await checkSource(args.against, config);
        if (graph === null)
          throw new FlowError('flow-invalid', `${args.against} cannot run. See "roomflow check ${args.against}".`);
        const parting = await replayAgainst(store, args.id, compile, graph);
        print(parting === null ? 'The changed flow goes the same way.' : textOf(parting));
        if (parting !== null) process.exitCode = 1;
        return;
      }
      const { signals, isKept } = await replay(store, args.id, compile);
      print(`${signals} signals fold to ${isKept ? 'the kept state' : 'another state than the one that is kept'}.`);
      if (!isKept) process.exitCode = 1;
    }),
});

/** The same as `roomflow chat --session ID`. */
export const resumeCommand = defineCommand({
  meta: { name: 'resume', description: 'Go on with a session in the terminal.' },
  args: { ...sessionArgs, flow: { type: 'string', description: 'The flow file, where no configuration has it.' } },
  async run({ args: { id, store, config, flow } }) {
    if (store !== undefined) process.env['ROOMFLOW_STORE'] = store;
    const given = Object.entries({ config, flow }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, value],
    );
    await runCommand(chatCommand, { rawArgs: ['--session', id, ...given] });
  },
});

function textOf({ seq, signal, node, otherNode }: Parting): string {
  const there = node === otherNode ? `both are in ${node}, but differ` : `${node} becomes ${otherNode}`;
  return `They part ways at signal ${seq} (${signal}): ${there}.`;
}

async function inStore(
  args: StoreArguments,
  use: (store: Store, config: AgentConfig | null) => Promise<void>,
): Promise<void> {
  const config = await openConfig(args.config ?? (existsSync(defaultConfig) ? defaultConfig : undefined));
  const chosen = await chosenStore(args.store ?? config?.store, process.env, systemClock);
  const store = chosen ?? (await openStore(defaultStore, { clock: systemClock }));
  try {
    await use(store, config);
  } finally {
    await store.close();
  }
}

async function keptIn(store: Store, sessionId: string) {
  const kept = await store.loadSnapshot(sessionId);
  if (kept !== null) return kept;
  throw new FlowError(
    'session-unknown',
    `the store keeps no session "${sessionId}". List them by "roomflow sessions".`,
  );
}

async function lineOf(store: Store, { sessionId, seq, updatedAt, lease }: SessionSummary): Promise<string> {
  const { state } = await keptIn(store, sessionId);
  const { status, flow, node } = readState(state);
  const owner = lease !== null && lease.expiresAt > Date.now() ? '  owned' : '';
  return `${sessionId}  ${new Date(updatedAt).toISOString()}  ${status}  ${flow.id} @ ${node}  ${seq} signals${owner}`;
}

function compilerOf(config: AgentConfig | null): (document: Json) => Promise<Graph> {
  return async (document) => {
    if (isGeneratorDocument(document))
      return createFlowLibrary(config?.flows ?? {}, { catalog: builtinCatalog }).compileKept(document);
    const { graph } = await checkSource(document as object, config); // It was kept as a flow's document.
    if (graph !== null) return graph;
    throw new FlowError('flow-gone', 'the flow of this session cannot run here. Give --config with its tools.');
  };
}
