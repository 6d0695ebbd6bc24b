import { resolve } from 'node:path';
import { FlowError } from '../../model/errors.ts';
import type { ConversationDocument } from '../../flow/document/document.ts';
import { isGeneratorDocument } from '../../flow/graph/generator-graph.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock, Ids } from '../../model/ports/time.ts';
import { against } from '../against.ts';
import type { StudioBackend, Files, LiveActions } from '../sessions/desk.ts';
import { compileKept } from '../fold.ts';
import { flowShown } from '../../flow/picture/show-flow.ts';
import { flowsOfSteps } from '../sessions/flows-of-steps.ts';
import { inboxOf } from '../inbox.ts';
import type { EventStream } from '../event-stream.ts';
import type { FlowShown } from '../../flow/picture/flow-shown.ts';
import { graphOfKept } from '../sessions/steps.ts';
import { createDevSessions } from './dev-sessions.ts';
import { createLiveDesk, type LiveDeskOptions } from './live-desk.ts';
import { type LiveStageOptions, openLiveStage } from './live-stage.ts';
import type { LiveKitDoor } from './livekit-door.ts';
import { createNodeTests } from './node-tests.ts';
import type { StageSettings } from './stage-calls.ts';

/** Parts of a studio on this machine. */
export interface DevDeskOptions {
  readonly store: Store;
  readonly news: EventStream;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The program of the session process; with `covering` it plays tests. */
  readonly program: string;
  /** The folder where the studio was started; paths are shown relative to it. */
  readonly root: string;
  readonly settings: StageSettings;
  /** Creates the files of a project from the files of its flows. */
  readonly files: (flowFiles: () => readonly string[]) => Files;
  /** Watches the files of the project. */
  readonly watch: LiveStageOptions['watch'];
  readonly door: (lacks: () => string | null) => LiveKitDoor;
  /** Writes a test of a conversation of this flow; the file is null for a flow in code. */
  readonly saveTest: LiveDeskOptions['saveTest'];
}

/** A studio on this machine. */
export interface DevDesk extends StudioBackend {
  readonly live: LiveActions;
  stop(): Promise<void>;
}

/** Opens the project and starts the session process. Throws the faults of the project. */
export async function openDevDesk(options: DevDeskOptions): Promise<DevDesk> {
  const { store, news, clock, ids, program, root, settings, saveTest } = options;
  const graphs = new Map<string, Promise<Graph | null>>();
  /** The flows on disk, by hash. */
  const shownFlows = new Map<string, FlowShown>();
  const graphOf = (hash: string): Promise<Graph | null> => {
    const known = graphs.get(hash);
    if (known !== undefined) return known;
    const made = store.graphs.get(hash).then(graphOfKept);
    graphs.set(hash, made);
    return made;
  };
  const sessions = createDevSessions({ store, news, clock, graphOf });
  const stage = await openLiveStage({
    ...{ sessions, news, clock, program, settings, watch: options.watch },
    onFlow: (flow) => shownFlows.set(flow.hash, flow),
  });
  const door = options.door(() => stage.report.voiceLacks);
  door.onGone(() => stage.roomsGone());
  const stopWatching = store.watch(() => stage.tell('changed'));
  const stopInbox = store.inbox.watch((sessionId) => {
    stage.tell('posted', sessionId);
    // Pages read the inbox again.
    const session = sessionId === null ? undefined : sessions.find(sessionId);
    if (session !== undefined) sessions.tell(session);
  });

  const files = options.files(() => stage.report.flowFiles);
  const nodeTests = createNodeTests(program, root);
  const live = createLiveDesk({
    ...{ store, clock, ids, root, sessions, stage, door, nodeTests, graphOf, saveTest },
    files: {
      ...files,
      save(path, text, etag) {
        const outcome = files.save(path, text, etag);
        if ('saved' in outcome) stage.saved(resolve(root, path), text);
        return outcome;
      },
    },
  });
  const flowOf = async (hash: string): Promise<FlowShown | null> => {
    const known = shownFlows.get(hash);
    if (known !== undefined) return known;
    const graph = await graphOf(hash);
    if (graph === null) return null;
    const shown = flowShown(graph, null, graph.generator === null);
    shownFlows.set(hash, shown);
    return shown;
  };
  return {
    live,
    flow: flowOf,
    connects: door.connects,
    async about() {
      const { news: flow, names, model, pretended, notes } = stage.report;
      return {
        ...{ mode: 'dev', flow, flows: names, model, pretended, notes, voice: door.offer },
        may: { talk: true, edit: true, fork: true, reveal: false, saveTest: true },
      };
    },
    async sessions() {
      return sessions
        .all()
        .map((session) => sessions.shown(session))
        .toReversed();
    },
    async detail(sessionId) {
      const session = sessions.find(sessionId);
      if (session === undefined) return null;
      const { record } = session;
      await record.settled();
      const flows = await flowsOfSteps(record.steps, flowOf);
      const isFoldable =
        record.positions.length === record.steps.length &&
        record.steps.every(({ flowHash }) => flows[flowHash]?.isFoldable === true);
      const { steps, events, lines, turns, swaps } = record;
      return {
        ...{ session: sessions.shown(session), isMasked: false, flows, folds: isFoldable ? 'page' : 'server' },
        ...{ steps: [...steps], events: [...events], lines, turns, swaps: [...swaps] },
      };
    },
    inbox: (sessionId) => inboxOf(store, sessionId),
    newsOf: () => news,
    follow: () => () => undefined,
    async against(sessionId) {
      const { record } = sessions.of(sessionId);
      await record.settled();
      const { news: flow } = stage.report;
      if (!flow.isSound || flow.flow === null)
        throw new FlowError('flow-invalid', 'the flow on disk cannot run. Fix its problems first.');
      const document = flow.flow.document as unknown as ConversationDocument | null; // The document of a flow.
      const other = document === null || isGeneratorDocument(document) ? null : await compileKept(document);
      if (other === null)
        throw new FlowError(
          'copy-impossible',
          'a flow in code, or with node types of a pack, cannot be replayed here.',
        );
      const log = await store.steps.list(sessionId);
      return await against({ sessionId, log, graphOf, other, shown: flow.flow });
    },
    async stop() {
      stopWatching();
      stopInbox();
      nodeTests.stop();
      await stage.stop();
      await door.stop();
    },
  };
}
