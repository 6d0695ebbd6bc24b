import { FlowError } from '../../model/errors.ts';
import { claimSession } from '../../livekit/agent/claim-session.ts';
import { type LiveIntake, takeInbox } from '../../livekit/agent/live-intake.ts';
import type { StartOptions } from '../../livekit/agent/live-session.ts';
import { isInsideCall } from '../../livekit/agent/origin.ts';
import { speakIn } from '../../livekit/agent/speak-in-session.ts';
import { retryingStore } from '../../engine/commit/retrying-store.ts';
import { openMoves } from '../../flow/load/open-moves.ts';
import { openStore } from '../../store/open-store.ts';
import { closeConversation, type Conversation, type ConversationParts, openConversation } from './open-conversation.ts';
import { watchLimits } from './watch-limits.ts';

type LiveParts = Omit<ConversationParts, 'store' | 'moveOf' | 'room' | 'begin'>;

interface LiveListeners {
  onSpeech(heard: string, interrupted: boolean): void;
  onError(error: unknown): void;
}

/** One conversation on one LiveKit session, from its begin or resumption to its release. */
export class LiveConversation {
  readonly #given: LiveParts;
  readonly #on: LiveListeners;
  #open: (Conversation & { readonly detach: () => void }) | null = null;
  #intake: LiveIntake | null = null;
  #closeStore: () => Promise<void> = () => Promise.resolve();
  #release: () => void = () => undefined;
  #stopLimits: () => void = () => undefined;
  #isAway = false;
  #started = false;
  #stopped = false;
  #resolveEnded: (reason: string) => void = () => undefined;
  /** Resolves with the reason when the conversation has ended or was left. */
  readonly ended: Promise<string> = new Promise((resolve) => (this.#resolveEnded = resolve));

  constructor(given: LiveParts, on: LiveListeners) {
    this.#given = given;
    this.#on = on;
  }

  /** The conversation; null before its begin. */
  get open(): Conversation | null {
    return this.#open;
  }

  /** The conversation. Throws `not-started`. */
  get running(): Conversation {
    if (this.#open === null) throw new FlowError('not-started', 'call start() first.');
    return this.#open;
  }

  /** The source of outside events; null before the agent has entered. */
  get intake(): LiveIntake | null {
    return this.#intake;
  }

  /** Begins or resumes the conversation and speaks in the session. Throws what `FlowRunner.start` throws. */
  async start(options: StartOptions): Promise<void> {
    if (this.#started || this.#stopped)
      throw new FlowError('already-started', 'this runner has been started. Make a new one for another call.');
    this.#started = true;
    this.#release = claimSession(this.#given.options.session);
    try {
      await this.#begin(options);
    } catch (error) {
      if (this.#open === null) this.#release();
      throw error;
    }
  }

  async #begin(options: StartOptions): Promise<void> {
    const { parts, hub, clock, limits } = this.#given;
    const { session, store: given = 'memory', moves = [], remoteSession: isRemote = false } = this.#given.options;
    const moveOf = await openMoves(moves, parts.library, parts.graph);
    const opened = typeof given === 'string' ? await openStore(given, { clock }) : given;
    // A store that the runner opened is closed by it.
    if (typeof given === 'string') this.#closeStore = () => opened.close();
    const store = retryingStore(opened, clock);
    const onError = (error: unknown): void => this.#on.onError(error);
    const end = (reason: string): void => void this.#end(reason).catch(onError);
    const conversation = await openConversation(
      { ...this.#given, store, moveOf, room: options.room },
      {
        onEnd: end,
        // The next process resumes from the last stored step.
        onStoreLost: (reason) => void this.#end(reason, true).catch(onError),
        onError,
        onClose: () => void this.close('session-closed').catch(onError),
        onSpeech: (heard, interrupted) => this.#on.onSpeech(heard, interrupted),
        onRefused: () => this.#closeStore(),
      },
    );
    // A parked session says nothing until a person has repaired it; the store keeps its state.
    hub.subscribe('flow:parked', (event) => event.type === 'flow:parked' && end(event.data.reason));
    const { engine, agent } = conversation;
    this.#open = { ...conversation, detach: agent.attach(session) };
    if (this.#isAway) engine.attend(false);
    if (this.#stopped) return await this.#letGo('stopped', false);
    try {
      await speakIn(session, agent, options, isRemote);
    } catch (error) {
      await this.close('start-failed');
      throw error;
    }
    // LiveKit lets the previous agent finish speaking, and the session may be closed before it has.
    await Promise.race([agent.entered, this.ended]);
    agent.speakUp();
    if (this.#stopped) return;
    this.#intake = takeInbox({ session, engine, agent, store, clock, onError, isAway: () => this.#isAway });
    this.#stopLimits = watchLimits({ engine, agent, hub, store, clock, limits, onError });
    parts.tasks.takeUpRuns();
  }

  /** Marks the caller as away or as back. Outside events wait for a caller who is away. */
  attend(isBack: boolean): void {
    this.#isAway = !isBack;
    this.#open?.engine.attend(isBack);
  }

  /**
   * Ends the conversation and releases the session, or only releases it if `isLeft`. Resolves at once for code that the end
   * waits for. Throws what the store throws as it is released.
   */
  async close(reason: string, isLeft = false): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    const left = this.#letGo(reason, isLeft);
    // Code that the end waits for would deadlock if it awaited the end.
    if (isInsideCall(this.#given.sessionId)) left.catch((error: unknown) => this.#on.onError(error));
    else await left;
  }

  async #letGo(reason: string, isLeft: boolean): Promise<void> {
    this.#intake?.stop();
    this.#stopLimits();
    this.#given.parts.tasks.end();
    try {
      if (this.#open === null) return;
      this.#open.detach();
      try {
        await closeConversation(this.#open, isLeft ? null : reason);
      } finally {
        await this.#closeStore();
      }
    } finally {
      this.#release();
      this.#resolveEnded(reason);
    }
  }

  async #end(reason: string, isLeft = false): Promise<void> {
    const { onEnd, session } = this.#given.options;
    try {
      await this.close(reason, isLeft);
    } finally {
      if (onEnd !== 'keep') await session.close();
    }
  }
}
