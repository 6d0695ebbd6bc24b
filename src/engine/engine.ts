import type { Effect } from '../model/effect.ts';
import type { JsonObject } from '../model/json.ts';
import type { SessionResumed } from '../model/signals/signal.ts';
import { openOfKind } from '../kernel/state/draft.ts';
import { type Calls, createCalls } from './calls/calls.ts';
import { isVoid } from './commit/outbox.ts';
import { createStepEvents } from './commit/step-events.ts';
import type { EngineOptions } from './engine-options.ts';
import { createFlowChanges, type FlowChanges } from './flow-changes.ts';
import type { AdvanceEffect } from './generators/generator-driver.ts';
import { createGenerators, type Generators, type HandoffEffect } from './generators/generators.ts';
import { createInbound, type Receive } from './inbound.ts';
import { unreadableSlots } from './sealed-values.ts';
import { Session } from './session.ts';
import { forgetOldInputs } from './session/forget-old-inputs.ts';
import { keptSession, type KeptSession } from './session/kept-session.ts';
import { awayName, ownerName } from './session/process-owner.ts';
import { createSessionLanguage, type SessionLanguage } from './session/session-language.ts';
import { type HeldSession, holdSession } from './session/session-lease.ts';

/** A session with the parts that work for it. One per conversation. */
export class Engine extends Session {
  readonly calls: Calls;
  readonly flows: FlowChanges;
  readonly language: SessionLanguage;
  /** Takes a caller's turn after running work has settled. A duplicate changes nothing. */
  readonly receive: Receive;
  readonly #generators: Generators;
  readonly #held: HeldSession;
  readonly #owner: string;
  readonly #movesTo: string | null;
  #isCallerHere = true;

  constructor(options: EngineOptions, kept: KeptSession, held: HeldSession, owner: string) {
    super(options, kept, held.lease);
    this.#held = held;
    this.#owner = owner;
    this.#movesTo = kept.movesTo;
    this.#generators = createGenerators(this);
    this.language = createSessionLanguage(this);
    this.calls = createCalls(this, this.#generators, this.language);
    this.flows = createFlowChanges(this, this.#generators, this.language);
    this.receive = createInbound(this, this);
    this.#observe();
  }

  /** Derives everything that follows a step from its record. */
  #observe(): void {
    const { hub, questions, onTaskLeft } = this.options;
    const publish = createStepEvents(hub);
    this.observe((step) => {
      const { before, state } = step;
      const task = openOfKind(before, 'task');
      if (task !== undefined && isVoid(task, state)) onTaskLeft?.(task.key);
      this.calls.follow(step);
      this.tracer.tell();
      // Leaving a generator runs its `finally` blocks.
      if (before.position.generator !== null && before.position.generator.run !== state.position.generator?.run)
        this.#generators.close();
      publish(step);
      questions?.follow(step.signal);
    });
  }

  /** Starts the session, or resumes it from the store. */
  start(input: JsonObject): Promise<void> {
    const isExact = this.isWritten || this.options.resumesExactly === true;
    return this.#start(input, isExact ? { byText: true } : {});
  }

  /** Starts or resumes a session without a listener. */
  startSilently(input: JsonObject): Promise<void> {
    return this.#start(input, { silent: true });
  }

  async #start(input: JsonObject, how: Pick<SessionResumed, 'byText' | 'silent'>): Promise<void> {
    const { sessionId, options, state } = this;
    const { clock, timeZone, begunBy, correlation, called } = options;
    if (this.#movesTo !== null) return await this.flows.swap(this.graph, this.#movesTo, true);
    if (state.status !== 'new') {
      const unreadable = unreadableSlots(this, state.knowledge.slots);
      const lost = unreadable.length === 0 ? {} : { unreadable };
      this.dispatch({ signal: { type: 'session:resumed', at: clock.now(), ...how, ...lost } });
      return;
    }
    const silent = how.silent === true ? ({ silent: true } as const) : {};
    const isCalled = called !== undefined && how.silent !== true && !this.isWritten;
    const begun = { ...(correlation === undefined ? {} : { correlation }), ...(isCalled ? { called } : {}) };
    const { incarnation } = this.lease;
    const born = incarnation === undefined ? {} : { incarnation };
    const keys = begunBy === undefined ? [] : [begunBy];
    await this.flows.start({ sessionId, input, timeZone, ...silent, ...begun, ...born }, keys);
  }

  /** Sets whether the caller is connected. While they are not, another process with the caller may take over the session. */
  attend(isHere: boolean): void {
    this.#isCallerHere = isHere;
    if (isHere) return this.#held.rename(this.#owner);
    // Running writes must be finished by this owner.
    const settled = this.calls.underWay()?.catch(() => undefined) ?? Promise.resolve();
    void settled.then(() => {
      if (!this.#isCallerHere && !this.isClosed) this.#held.rename(awayName(this.#owner));
    });
  }

  /** Resumes the flow's generator. */
  advance(effect: AdvanceEffect): Promise<void> {
    return this.calls.waitFor(effect.key, async () => {
      const outcome = await this.#generators.advance(effect, this.state);
      this.dispatch({ signal: { ...outcome, at: this.options.clock.now() } });
    });
  }

  /** Starts the flow that a handoff or a reply leads to. Counted as running work, because the caller's next words are for that flow. */
  handOff(effect: HandoffEffect): Promise<void> {
    return this.calls.waitFor(effect.key, () => this.flows.handOver(effect));
  }

  /** Ends the session with `reason`, or releases it with null so that another process can resume it. `finishes` runs intended writes first. */
  async close(reason: string | null, finishes = false): Promise<void> {
    const { options, calls, outbox } = this;
    const { store, clock, turnSink } = options;
    this.#generators.close();
    const { status } = this.state;
    // A parked session is resumed after a person has repaired it.
    const isOver = status === 'ended' || status === 'new' || status === 'parked';
    if (!isOver && reason !== null) this.dispatch({ signal: { type: 'session:ended', at: clock.now(), reason } });
    const owed = finishes ? outbox.drop((effect) => effect.kind === 'tool' && effect.payload.write) : [];
    for (const effect of owed) void this.#finish(effect);
    // Waits for a running write, so that its outcome is stored.
    await calls.overtake(true);
    this.tracer.complete();
    turnSink?.close();
    this.#held.stopRenewal();
    await this.seal();
    for (const key of this.promised.told(this.state)) await store.inbox.withdraw(key).catch(() => undefined);
    await forgetOldInputs(store, clock);
    await store.leases.release(this.lease);
  }

  /** Runs a write that the session owes. If it fails, it stays stored as open. */
  async #finish(effect: Effect): Promise<void> {
    if (effect.kind === 'tool') await this.calls.run(effect).catch(() => undefined);
  }
}

/** Takes a session from the store, or begins one. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { sessionId, store, clock, ids } = options;
  const owner = options.owner ?? ownerName(ids.create('owner'));
  const held = await holdSession(store, sessionId, owner, clock, awayName(owner));
  const kept = await keptSession(options).catch(async (error: unknown) => {
    held.stopRenewal();
    await store.leases.release(held.lease);
    throw error;
  });
  return new Engine(options, kept, held, owner);
}
