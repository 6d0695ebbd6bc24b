import { agentOptions, callOptions } from '../../config/config.ts';
import { errorKind, FlowError } from '../../model/errors.ts';
import { createTextSession } from '../../livekit/agent/text-session.ts';
import { withholdNativeContent } from '../../livekit/guards/native-log.ts';
import { watchedModel } from '../../livekit/model/watched-model.ts';
import { openModel } from '../../livekit/plug-ins/models.ts';
import { plugInOf } from '../../livekit/plug-ins/plug-in-choice.ts';
import { createDirectCall } from '../../livekit/room/direct-call.ts';
import { loadedModules } from '../../flow/load/files/loaded-modules.ts';
import { openFlow } from '../../flow/load/open-flow.ts';
import type { FlowSource } from '../../flow/load/files/flow-library.ts';
import { whySilent } from '../../offline/brain/offline-brain.ts';
import { speechReadiness } from '../../offline/helper/readiness.ts';
import { createRunner, type FlowRunner } from '../../runner/flow-runner.ts';
import { systemClock, systemIds } from '../../system.ts';
import type { SwapOutcome } from '../protocol/session-shown.ts';
import { createCalls, type Handlers, type Wire } from './calls.ts';
import { openProject, type Project, type ProjectParts } from './project.ts';
import { createRemoteStore, type RemoteStore } from './remote-store.ts';
import type { OpenSession, StageHandlers, StageReport, StudioHandlers } from './stage-calls.ts';

/** The owner of all sessions of a studio, whichever of its processes runs them. */
const owner = 'studio';

interface LiveSession {
  readonly runner: FlowRunner;
  readonly flow: string;
  /** Closes the text session or the call of the runner. */
  end(): Promise<void>;
}

/**
 * Runs the process for the sessions of a studio. The author's code runs only here, so it may crash, hang or be
 * reloaded; the studio stores what the sessions commit.
 */
export function runStage(wire: Wire, parts: ProjectParts): void {
  const sessions = new Map<string, LiveSession>();
  const leaving = new Map<string, Promise<void>>();
  let project: Project | null = null;
  let wordMs = 0;
  const opened = (): Project => {
    if (project !== null) return project;
    throw new FlowError('not-started', 'the flow is still being opened. Try again in a moment.');
  };
  const sessionOf = (sessionId: string): LiveSession => {
    const session = sessions.get(sessionId);
    if (session !== undefined) return session;
    throw new FlowError('session-over', 'this session has no connection. Call back, or start another one.');
  };
  const report = async (): Promise<StageReport> => {
    const { names, pretended, config, flowFiles } = opened();
    const news = await opened().news(() => systemClock.now());
    const { model, label } = await openModel(await plugInOf(config.models?.llm), process.env);
    const silence = whySilent(model, news.flow === null ? 'en' : languageOf(news.flow.document));
    return {
      ...{
        news,
        names,
        flowFiles,
        modules: loadedModules(),
        fileOf: Object.fromEntries(names.map((name) => [name, opened().fileOf(name)])),
        model: label,
        pretended: pretended.names,
        voiceLacks: voiceLacks(config.models, process.env),
      },
      notes: silence === null ? [] : [silence],
    };
  };
  const handlers: StageHandlers = {
    async begin(settings) {
      withholdNativeContent('warn');
      ({ wordMs } = settings);
      project = await openProject(parts, settings);
      return await report();
    },
    read: report,
    check: (path, text) => opened().check(path, text),
    complete: async (path, text, offset) => opened().complete(path, text, offset),
    hover: async (path, text, offset) => opened().hover(path, text, offset),
    async open(given) {
      sessions.set(given.sessionId, await openSession(given));
    },
    async send(sessionId, text, via, eventId) {
      const { runner } = sessionOf(sessionId);
      const outcome = await runner.send(text, { via, eventId });
      // A session that has ended in the meantime is stored completely.
      await runner.flush().catch(() => undefined);
      return outcome;
    },
    hush: (sessionId) => sessionOf(sessionId).runner.interrupt(),
    async leave(sessionId) {
      const session = sessions.get(sessionId);
      // A second call waits for the same release.
      if (session !== undefined) leaving.set(sessionId, letGo(session));
      sessions.delete(sessionId);
      await leaving.get(sessionId);
    },
    swap: (sessionId) => swap(sessionOf(sessionId)),
    ping: () => sessions.size,
  };
  const letGo = async (session: LiveSession): Promise<void> => {
    await session.runner.detach();
    await session.end();
  };
  // The interface defines the names and arguments.
  const calls = createCalls(wire, handlers as unknown as Handlers);
  const tell = <Name extends keyof StudioHandlers>(name: Name, ...args: Parameters<StudioHandlers[Name]>): void =>
    calls.tell(name, ...args);
  const remote: RemoteStore = createRemoteStore(calls);
  Object.assign(handlers, { changed: () => remote.changed(), posted: (id: string | null) => remote.posted(id) });

  const openSession = async (given: OpenSession): Promise<LiveSession> => {
    const { sessionId, flow, input, room, isExact } = given;
    const { config, pretended } = opened();
    const options = agentOptions(config);
    const written = opened().sourceOf(flow);
    const source = typeof written === 'string' ? ((await openFlow(written)) as FlowSource) : written; // Validated by the runner.
    const watch = {
      clock: systemClock,
      ids: systemIds,
      tell: (request: Parameters<StudioHandlers['request']>[1]) => tell('request', sessionId, request),
    };
    const threw = (error: unknown): void =>
      tell('threw', sessionId, error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    const call =
      room === null
        ? null
        : await createDirectCall({
            ...room,
            ...{ models: config.models ?? {}, voice: config.voice ?? {}, env: process.env, clock: systemClock },
            watch: (model) => watchedModel(model, watch),
            onError: (error) => threw(error),
            onClosed: () => void handlers.leave(sessionId).then(() => tell('over', sessionId, 'room-closed')),
          });
    const text = call === null ? await openText(sessionId, watch) : null;
    const session = call?.session ?? text;
    if (session == null) throw new FlowError('internal', 'there is nothing to speak through.');
    const runner = createRunner({
      ...options,
      ...(await callOptions(config, { sessionId, room: null, participant: null, input })),
      tools: [...options.tools, ...pretended.tools],
      handlers: { ...options.handlers, ...pretended.handlers },
      ...(source === null ? {} : { flow: source }),
      ...{ session, sessionId, input, owner, store: remote.store, onEnd: 'keep', onFlowError: threw },
      ...(isExact ? { resume: 'exact' } : {}),
    });
    runner.hub.subscribe('*', (event) => {
      if (event.type !== 'agent:text') tell('told', event);
    });
    // The page reads the store, so heard speech is stored at once instead of with the next step.
    const keep = (): void => void runner.flush().catch(() => undefined);
    runner.onSpeech(() => void systemClock.schedule(0, keep));
    runner.on('turn:completed', () => void systemClock.schedule(0, keep));
    const end = async (): Promise<void> => {
      // LiveKit waits half a second for the caller's last words, which is not needed here.
      if (call === null) void session.close().catch(() => undefined);
      else await call.end().catch(() => undefined);
    };
    void runner.ended.then(async (reason) => {
      if (sessions.get(sessionId)?.runner !== runner) return;
      sessions.delete(sessionId);
      await end();
      tell('over', sessionId, reason);
    });
    try {
      const leave = (): Promise<void> => handlers.leave(sessionId).then(() => tell('over', sessionId, 'caller-left'));
      await runner.start(call === null ? {} : await call.join(reachedBy(runner, leave)));
    } catch (error) {
      await end();
      throw error;
    }
    return { runner, flow, end };
  };

  const openText = async (sessionId: string, watch: Parameters<typeof watchedModel>[1]) => {
    const { model } = await openModel(await plugInOf(opened().config.models?.llm), process.env);
    return createTextSession(watchedModel(model, watch), {
      async write(piece) {
        tell('piece', sessionId, piece);
        const words = piece.split(/\s+/).filter((word) => word !== '').length;
        if (wordMs > 0 && words > 0)
          await new Promise<void>((resolve) => void systemClock.schedule(words * wordMs, resolve));
      },
      end: () => undefined,
    });
  };

  const swap = async ({ runner, flow }: LiveSession): Promise<SwapOutcome | null> => {
    const before = runner.state.position.flow;
    const told = (outcome: SwapOutcome['outcome'], why: string): SwapOutcome => {
      const { node, flow: now } = runner.state.position;
      return { at: systemClock.now(), outcome, node, flowHash: now.hash, why };
    };
    try {
      const written = opened().sourceOf(flow === before.id ? flow : nameFor(before.id, flow));
      const source = typeof written === 'string' ? ((await openFlow(written)) as FlowSource) : written;
      if (source === null) return null;
      const outcome = await runner.update(source);
      if (outcome === 'same') return null;
      if (outcome === 'gone')
        return told(
          'kept',
          `its node "${runner.currentNode}" is not in the new version. The conversation continues in the old one.`,
        );
      return told('swapped', `it continues in the new version at "${runner.currentNode}".`);
    } catch (error) {
      const why = error instanceof FlowError ? (error.message.split('\n')[0] ?? error.code) : errorKind(error);
      return told('kept', `${why} The conversation continues in the old version.`);
    }
  };
  const nameFor = (id: string, otherwise: string): string => (opened().names.includes(id) ? id : otherwise);
}

/** The conversation for a caller in a room. A caller who leaves may call back. */
function reachedBy(runner: FlowRunner, leave: () => Promise<void>) {
  return {
    send: (...said: Parameters<FlowRunner['send']>) => runner.send(...said),
    press: (...pressed: Parameters<FlowRunner['press']>) => runner.press(...pressed),
    hush: () => runner.interrupt(),
    holdNoInput: () => runner.holdNoInput(),
    holdInbox: () => runner.holdInbox(),
    recap: () => runner.resume(),
    stop: leave,
  };
}

function languageOf(document: unknown): string {
  const { language = 'en' } = (document ?? {}) as { readonly language?: string }; // A flow's document, or null.
  return language;
}

/** Returns what voice calls are missing; null if nothing is. */
function voiceLacks(
  models: { readonly stt?: unknown; readonly tts?: unknown; readonly realtime?: unknown } = {},
  env: NodeJS.ProcessEnv,
): string | null {
  if (models.realtime !== undefined) return null;
  const { voice, recognition } = speechReadiness();
  const hasKeys = ['OPENAI_API_KEY', 'DEEPGRAM_API_KEY'].some((name) => (env[name] ?? '') !== '');
  const hears = models.stt === 'offline' || (models.stt === undefined && !hasKeys) ? recognition : null;
  const speaks = models.tts === 'offline' || (models.tts === undefined && !hasKeys) ? voice : null;
  // The page shows this text to people, so the code is removed.
  return (hears ?? speaks)?.replace(/^[a-z-]+: /, '') ?? null;
}
