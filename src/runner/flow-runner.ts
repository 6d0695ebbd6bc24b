import { z } from 'zod';
import { errorKind } from '../model/errors.ts';
import type { Event, EventType } from '../model/events/event.ts';
import { assertOptions, type OptionShapes } from '../flow/document/problems/option-faults.ts';
import { createHub, type EventHub } from '../engine/hub/create-hub.ts';
import { nodeOf } from '../kernel/move/offers.ts';
import type { SessionState } from '../kernel/state/state.ts';
import type { NodeIdOf } from '../livekit/tools/flow-names.ts';
import type { FlowSource } from '../flow/load/files/flow-library.ts';
import type { Clock, Ids } from '../model/ports/time.ts';
import { assertEventType, assertListener } from './assert-event-type.ts';
import { assertRunOptions } from './options/option-faults.ts';
import { assertNode, changeLanguage, moveByCode } from './conversation/move-conversation.ts';
import { hasCurrentNode, isNodeUnchanged } from './flow-version.ts';
import { LiveConversation } from './conversation/live-conversation.ts';
import { assertKeys, isOfKeys } from '../livekit/agent/keypad.ts';
import { sendTurn } from '../livekit/agent/speak-in-session.ts';
import { insideOptions, placesIn, runnerOptions } from './options/flat-options.ts';
import type { FlowRunnerOptions, FlowsByName, NoFlows } from './options/flow-runner-options.ts';
import type { RunnerOptions } from './options/runner-options.ts';
import { OldVerbs } from './old-verbs.ts';
import { type ConversationOutcome, conversationOutcome } from './outcomes/conversation-outcome.ts';
import { createRunnerParts, type RunnerParts } from './parts.ts';
import { idleWith } from '../livekit/agent/live-intake.ts';
import type { StartOptions } from '../livekit/agent/live-session.ts';
import { type WorkLeft, workLeft } from './conversation/work-in-state.ts';
import { systemClock, systemIds } from '../system.ts';
import type { FunctionTool } from '../livekit/tools/function-tool.ts';
import type { InputCheck, ToolsCheck } from '../livekit/tools/tools-check.ts';
import { withholdTraceContent } from '../livekit/guards/trace-content.ts';
import type { AgentRuns } from '../engine/tasks/agent-runs.ts';
import { cutText, type Limits, limitsOf } from '../engine/limits.ts';
import { assertInput, assertWords } from '../engine/input.ts';

interface SendOptions {
  readonly eventId?: string;
  readonly via?: 'text' | 'dtmf';
}

/** The id is checked with the words. */
const sendShapes: OptionShapes<SendOptions> = { eventId: null, via: z.enum(['text', 'dtmf']) };
const pressShapes: OptionShapes<{ readonly pauseMs?: number }> = { pauseMs: z.number().min(0) };
const swapShapes: OptionShapes<{ readonly node?: string }> = { node: z.string() };

// An application sets its tracer provider before there is a runner.
withholdTraceContent(process.env);

/**
 * Runs a flow on a LiveKit `AgentSession`: voice or text, in a room or without one. Throws `flow-invalid` with every
 * problem of a broken flow, and `input-missing` or `input-invalid` for its input, before anything is said.
 *
 * @example
 * const runner = new FlowRunner({ session, flow: 'bike.yaml' });
 * await runner.start();
 * console.log(await runner.ended);
 */
export class FlowRunner<
  const Flow extends FlowSource = FlowSource,
  const Flows extends FlowsByName = NoFlows,
  const Tools extends readonly FunctionTool[] = readonly [],
> extends OldVerbs<NodeIdOf<Flow | Flows[keyof Flows]>> {
  readonly #options: RunnerOptions;
  readonly #parts: RunnerParts;
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #live: LiveConversation;
  readonly #speechListeners = new Set<(heard: string, interrupted: boolean) => void>();
  /** Typed events of the conversation, with sequence numbers: the given hub or a new one. */
  readonly hub: EventHub;
  readonly sessionId: string;
  /** Resolves with the reason when the flow has ended, was stopped, or was left because its store failed. */
  readonly ended: Promise<string>;
  /** The agent runs begun by nodes and functions. */
  readonly agents: AgentRuns;

  constructor(
    given: FlowRunnerOptions<Flow, Flows, Tools> & InputCheck<Flow> & ToolsCheck<Flow | Flows[keyof Flows], Tools>,
    hub?: EventHub,
  ) {
    super();
    const options = runnerOptions(given);
    assertRunOptions(options, placesIn(given), 'session');
    this.#options = options;
    this.#limits = limitsOf(options.limits);
    this.#clock = options.clock ?? systemClock;
    this.#ids = options.ids ?? systemIds;
    this.sessionId = options.sessionId ?? this.#ids.create('session');
    this.hub = hub ?? createHub({ clock: this.#clock, ids: this.#ids, sessionId: this.sessionId });
    this.#parts = createRunnerParts(options, this.sessionId, this.hub, (error) => this.#report(error));
    this.agents = this.#parts.tasks.agents;
    this.#live = new LiveConversation(
      {
        options,
        parts: this.#parts,
        sessionId: this.sessionId,
        hub: this.hub,
        clock: this.#clock,
        ids: this.#ids,
        limits: this.#limits,
      },
      {
        onSpeech: (heard, interrupted) => {
          for (const listener of this.#speechListeners) listener(heard, interrupted);
        },
        onError: (error) => this.#report(error),
      },
    );
    this.ended = this.#live.ended;
  }

  /**
   * Begins the conversation or resumes the stored one, and starts the LiveKit session with `options` if it does
   * not run yet. Throws `session-over` if the conversation has ended, `session-taken` if another process owns
   * it, `session-held` if another runner has this LiveKit session, `flow-version-missing` if its flow is unavailable,
   * `move-invalid` or `move-incomplete` for an invalid move, and `already-started` on a second call.
   */
  async start(options: StartOptions = {}): Promise<void> {
    await this.#live.start(options);
  }

  /** The state of the session: node, slots, variables, open questions. */
  get state(): SessionState {
    return this.#live.running.engine.state;
  }

  /** The current language as a BCP 47 tag. */
  get language(): string {
    return (this.#live.open?.engine ?? this.#parts).graph.speech.language;
  }

  /** Whether everything so far is stored. Throws `not-started`. */
  get isPersisted(): boolean {
    return this.#live.running.engine.isCommitted();
  }

  /** The outcome of the conversation with the fields of the flow's `outcome`; null before its end. Throws `not-started`. */
  get outcome(): ConversationOutcome | null {
    return conversationOutcome(this.#live.running.engine, this.#parts.graph);
  }

  get currentNode(): string {
    return this.state.position.node;
  }

  /** Whether the active flow has a node of this id that the conversation could enter. Throws `not-started`. */
  hasNode(id: string): boolean {
    const { engine } = this.#live.running;
    return nodeOf(engine.graph, engine.state, id) !== null;
  }

  /**
   * Sends the caller's text, or pressed keys with `via: 'dtmf'`. Resolves when the answer was given. Each `eventId` is
   * taken once. Returns `over` if the conversation is over or its store failed; a resuming runner then takes the words
   * under the same id. Throws `input-invalid` for words or ids that are not strings or invalid options, and `not-started`.
   */
  async send(given: string, options: SendOptions = {}): Promise<'taken' | 'duplicate' | 'over'> {
    assertOptions(options, sendShapes, [], 'input-invalid');
    const { eventId = this.#ids.create('turn'), via = 'text' } = options;
    assertWords(given, eventId);
    if (via === 'dtmf' && isOfKeys(given)) return await this.#live.running.keypad.press(given, eventId);
    const text = cutText(given, this.#limits.callerCharacters);
    return await sendTurn(this.#live.running, this.#options.session, { eventId, text, via });
  }

  /**
   * Presses keys of the caller's telephone: 0 to 9, `*`, `#`, A to D. Digits of a slot and keys of a menu interrupt the
   * agent. Resolves when all keys were taken and answered. Other keys are words, which end with `#` or after a pause of
   * `pauseMs` (1000). Throws `input-invalid` for other characters, and `not-started`.
   */
  async press(keys: string, options: { readonly pauseMs?: number } = {}): Promise<'taken' | 'duplicate' | 'over'> {
    assertOptions(options, pressShapes, [], 'input-invalid');
    assertKeys(keys);
    return await this.#live.running.keypad.press(keys, this.#ids.create('keys'), options.pauseMs ?? 1_000);
  }

  /** Mentions the gap and repeats the open question, for a caller who was away. Resolves when it was said. Throws `not-started`. */
  async resume(): Promise<void> {
    // A caller who returns before the conversation has begun hears it from the start.
    this.#live.attend(true);
    const { engine, agent } = this.#live.running;
    await agent.hush();
    // For a caller with a task's question, only that question is repeated.
    if (!this.#parts.questions.repeat())
      engine.dispatch({ signal: { type: 'session:resumed', at: this.#clock.now() } });
    agent.speakUp();
    await agent.idle();
  }

  /**
   * Moves the conversation to a node. Aborts running functions except writes. Resolves
   * when the node's speech was heard. Throws `node-unknown` and `not-started`.
   */
  async goTo(node: NodeIdOf<Flow | Flows[keyof Flows]>): Promise<void> {
    assertNode(this.#live.running.engine.graph, node);
    const signal = { type: 'node:requested', at: this.#clock.now(), to: node } as const;
    await moveByCode(this.#live.running, (engine) => void engine.dispatch({ signal }));
  }

  /**
   * Continues with another flow or version and the known values: in the given node, else in the node of the same id.
   * Throws `flow-invalid`, `input-missing`, `input-invalid`, `node-unknown` or `not-started`, without any change.
   */
  async swapFlow<const Other extends FlowSource>(
    flow: Other,
    options: { readonly node?: NodeIdOf<Other> } = {},
  ): Promise<void> {
    assertOptions(options, swapShapes, [], 'input-invalid');
    const graph = this.#parts.library.compileAnew(flow);
    assertInput(graph, this.#live.running.engine.state.knowledge.input);
    if (options.node !== undefined) assertNode(graph, options.node);
    await moveByCode(this.#live.running, (engine) => engine.flows.swap(graph, options.node));
  }

  /** Commits steps that still wait for a later transaction, so that readers of the store see them. Throws store errors and `not-started`. */
  async flush(): Promise<void> {
    await this.#live.running.engine.keep();
  }

  /**
   * Continues in another version of the active flow at the same node. If the node is unchanged, nothing is interrupted or repeated;
   * otherwise it is entered again. Returns `revised`, `same` for an equal version, and `gone` without any change if the version lacks
   * the node or either is a generator. Throws `flow-invalid`, `input-missing`, `input-invalid` or `not-started`, without any change.
   */
  async update(flow: FlowSource): Promise<'revised' | 'same' | 'gone'> {
    const graph = this.#parts.library.compileAnew(flow);
    const { engine } = this.#live.running;
    if (graph.hash === engine.state.position.flow.hash) return 'same';
    assertInput(graph, engine.state.knowledge.input);
    if (!hasCurrentNode(graph, engine)) return 'gone';
    if (isNodeUnchanged(graph, engine)) await engine.flows.revise(graph);
    else await moveByCode(this.#live.running, (moved) => moved.flows.swap(graph));
    return 'revised';
  }

  /**
   * Changes the language of speech, reading and prompts from the next reply on. `language` is a BCP 47 tag that the
   * active flow lists, with or without its country; any tag for a generator. Throws `language-unlisted` for other tags, and
   * `not-started`.
   *
   * @example runner.setLanguage('es')
   */
  setLanguage(language: string): void {
    changeLanguage(this.#live.running.engine, language);
  }

  /**
   * Subscribes to one type of event. Returns the unsubscribe function. Throws
   * `input-invalid` for an unknown type or a listener that is not a function.
   */
  on<Type extends EventType>(type: Type, listener: (event: Extract<Event, { type: Type }>) => void): () => void {
    assertEventType(type);
    assertListener(listener);
    // The hub delivers only events of this type to the listener.
    return this.hub.subscribe(type, (event) => listener(event as Extract<Event, { type: Type }>));
  }

  /** Subscribes to the heard part of each speech, with whether it was interrupted. Returns the unsubscribe function. Throws `input-invalid`. */
  onSpeech(listener: (heard: string, interrupted: boolean) => void): () => void {
    assertListener(listener);
    this.#speechListeners.add(listener);
    return () => void this.#speechListeners.delete(listener);
  }

  /** Stops prompting the silent caller, who has left, and forgets their unfinished keys, until their next turn or `resume`. Throws nothing. */
  holdNoInput(): void {
    this.#live.open?.keypad.forget();
    this.#live.open?.agent.holdNoInput();
  }

  /**
   * Marks the caller as away. Until `resume`, outside events such as decisions
   * wait, and another call of the caller may take over the session. Throws nothing.
   */
  holdInbox(): void {
    this.#live.attend(false);
  }

  /** Interrupts the agent's speech. Throws `not-started`. */
  async interrupt(): Promise<void> {
    await this.#live.running.agent.hush();
  }

  /**
   * Resolves when the agent is silent, interrupted speech and outside events have
   * been processed, and the flow waits for the caller. Throws `not-started`.
   */
  async idle(): Promise<void> {
    await idleWith(this.#live.running.agent, () => this.#live.intake);
  }

  /** The work that the session has still to do by itself. Throws `not-started`. */
  get work(): WorkLeft {
    return workLeft(this.#live.running, this.#parts.questions);
  }

  /**
   * Ends the conversation and releases the session. If a function of the flow or `onResponse` calls it, it returns
   * before the end, because the function must finish first; its work is stored. Throws what the store throws as it is released.
   */
  async stop(reason = 'stopped'): Promise<void> {
    await this.#live.close(reason);
  }

  /** Releases the session without ending it: a runner with the same id and store resumes it. Throws what the store throws as it is released. */
  async detach(): Promise<void> {
    await this.#live.close('left', true);
  }

  #report(error: unknown): void {
    const source = this.#live.open?.engine.activeFlow() === null ? 'classic' : 'flow';
    this.hub.emit('response:failed', { source, stage: 'turn', reason: errorKind(error) });
  }
}

/** Creates a runner with flat options: the door for code of this package. Throws what `new FlowRunner` throws. */
export function createRunner(options: RunnerOptions, hub?: EventHub): FlowRunner {
  return new FlowRunner(insideOptions(options), hub);
}
