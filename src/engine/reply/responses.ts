import type { Json } from '../../model/json.ts';
import { classic } from '../../flow/document/classic.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Engine } from '../engine.ts';
import type { AgentContext, ResponseMeta, SafeHooks } from '../policy/hooks.ts';
import type { Give, Spoken } from './reply.ts';
import type { ReplyOrigin, ResponseEvents, ResponseFacts } from './response-events.ts';
import type { Route, Router } from '../policy/router.ts';
import { createStructuredOutput, type OutputSchema, type StructuredOutput } from './structured-output.ts';

/** The current reply for hooks and events: what began it and what was decided about it. */
export interface TurnRecord {
  inbound: AgentContext['inbound'];
  /** The session's start, a takeover by another process, words, or an event such as a decision or a deadline. */
  begunBy: 'start' | 'resume' | 'words' | 'event';
  /** The turn was decided before it reached a flow. */
  isShortCircuit: boolean;
  structured: Readonly<Record<string, Json>> | null;
  policy: NonNullable<ResponseMeta['policy']>;
  /** The stage that suppressed the reply, if none of it was heard. */
  suppressed: 'command' | 'beforeLLM' | 'beforeResponse' | null;
}

export function newTurnRecord(begunBy: TurnRecord['begunBy'] = 'start'): TurnRecord {
  return { inbound: null, begunBy, isShortCircuit: false, structured: null, policy: {}, suppressed: null };
}

export interface ResponseParts {
  readonly hooks: SafeHooks;
  readonly events: ResponseEvents;
  readonly turn: TurnRecord;
  readonly context: Omit<AgentContext, 'inbound'>;
  readonly clock: Clock;
  readonly hub: Hub;
  readonly engine: () => Engine;
  /** Schema of the model's answers on the classic path; null for plain words. */
  readonly output: OutputSchema | null;
  /** Chooses a flow by a structured answer. */
  readonly router: Router | null;
}

/** The way out of a reply's speech, through the hook if it decides about output. */
export interface Output<Chunk> {
  readonly give: Give<Chunk>;
  /** Ends the output. Returns false if no more is wanted. Null if no hook decides. */
  readonly end: (() => Promise<boolean>) | null;
}

/** The replies of a session, from the hooks that decide about them to the log that stores them. */
export interface Responses {
  /** Reads structured answers of the model; null for plain words. */
  readonly output: StructuredOutput | null;
  /**
   * Opens the output of a reply. `beforeResponse` decides about it before any of it is heard. Sound without words is
   * held back with the words. `isFirst`: not the output of a flow that the same turn hands off to.
   */
  open<Chunk>(isCurrent: () => boolean, give: Give<Chunk>, isFirst: boolean): Output<Chunk>;
  /** Whether a hook decides about output, which is complete when given out. */
  readonly decides: boolean;
  /** Returns whether a line must be shown instead of spoken; true once for each line that a hook replaced so. */
  takeShown(line: string): boolean;
  /** The caller heard words of the agent; `interrupted` if they spoke over the rest. */
  heard(text: string, interrupted: boolean): void;
  /** The agent has stopped speaking: stores what was heard or suppressed, then calls `onResponse` once per turn. Runs in the background. */
  settle(): void;
  /** Resolves when all settled replies have been reported. */
  told(): Promise<void>;
}

export function createResponses(parts: ResponseParts): Responses {
  const { hooks, events, turn, hub, clock } = parts;
  let heard: string[] = [];
  let wasInterrupted = false;
  /** The line for blocked output is said once per reply. */
  let hasBlocked = false;
  /** Lines to show instead of speak, in order. */
  let shown: string[] = [];
  let isPrepared = false;
  let telling: Promise<void> = Promise.resolve();
  let handoffFrom: string | undefined;
  /** The flow whose words were given out last; another flow may be active when they are heard. */
  let saidBy: ReplyOrigin | undefined;
  /** A structured answer whose route waits for the hook's decision. */
  let toRoute: Pick<TurnRecord, 'structured'> | null = null;
  hub.subscribe('flow:handoff', (event) => {
    if (event.type === 'flow:handoff') handoffFrom = event.data.from;
  });

  const prepare = (facts?: ResponseFacts): void => {
    if (isPrepared) return;
    isPrepared = true;
    events.tell('response:prepared', facts);
  };
  /** Returns the replacement of a text: null for silence, undefined to say it unchanged. */
  const decideOn = async (
    key: string,
    text: string,
    { source, flowId }: ReplyOrigin,
  ): Promise<string | null | undefined> => {
    const engine = parts.engine();
    const { context } = parts;
    const { structured, inbound } = turn;
    const input = { reply: text, structured, source, flowId };
    const decision = await hooks.beforeResponse(input, { ...context, inbound });
    const policyReason = 'reason' in decision ? decision.reason : undefined;
    turn.policy = {
      ...turn.policy,
      beforeResponseAction: strongest(turn.policy.beforeResponseAction, decision.action),
      ...(policyReason === undefined ? {} : { reason: policyReason }),
    };
    if (decision.action === 'continue') return undefined;
    const why = policyReason === undefined ? {} : { policyReason };
    const { action } = decision;
    const keeps =
      action === 'replace' && engine.graph.reader.keepsQuestion(text, decision.reply)
        ? { keepsQuestion: true as const }
        : {};
    engine.dispatch({ signal: { type: 'response:decided', at: clock.now(), key, action, ...why, ...keeps } });
    const isSaid = decision.action === 'replace' && decision.reply !== '' && !(decision.blocks === true && hasBlocked);
    if (!isSaid) {
      turn.suppressed = 'beforeResponse';
      return null;
    }
    hasBlocked ||= decision.blocks === true;
    turn.structured = decision.structured ?? structured;
    if (toRoute !== null) toRoute = { structured: turn.structured };
    if (decision.modality === 'text') shown.push(wordsOf(decision.reply));
    return decision.reply;
  };

  const giveOut = <Chunk>(piece: Spoken<Chunk>, give: Give<Chunk>, origin: ReplyOrigin): ReturnType<Give<Chunk>> => {
    if (piece.text.trim() !== '') saidBy = origin;
    return give(piece);
  };

  /** Holds back output until the hook has decided about it. */
  const heldOutput = <Chunk>(isCurrent: () => boolean, give: Give<Chunk>): Output<Chunk> => {
    const bySentence = hooks.decideBy === 'sentence';
    let held: Held<Chunk> | null = null;
    let isWanted = true;
    /** Gives out what a hook decided about the held pieces. False if no longer wanted. */
    const release = async (isLast = false): Promise<boolean> => {
      const { key, text, pieces, origin } = held ?? { key: '', text: '', pieces: [], origin: events.origin() };
      const isAside = pieces.every((piece) => piece.type === 'line' && piece.isAside === true);
      held = null;
      const isNothing = text.trim() === '' && (bySentence || pieces.every((piece) => piece.text !== ''));
      const line = isNothing ? null : await decideOn(key, text, origin);
      // A reply that was overtaken during the hook's decision is not said and leads nowhere.
      if (!isCurrent()) return (isWanted = false);
      if (isLast) route();
      const given: readonly Spoken<Chunk>[] =
        line === undefined && !bySentence
          ? pieces
          : line === null || line === ''
            ? []
            : [{ type: 'line', key, text: line ?? text.trimEnd(), ...(line === undefined ? { isAside } : {}) }];
      for (const piece of given) if (isWanted) isWanted = await giveOut(piece, give, origin);
      return isWanted;
    };
    const hold = async (piece: Spoken<Chunk>): Promise<boolean> => {
      prepare();
      if (held !== null && (held.key !== piece.key || piece.type === 'line') && !(await release())) return false;
      if (piece.type === 'chunk' && piece.text === '' && !piece.isSound) return (isWanted = await give(piece));
      held ??= { key: piece.key, text: '', pieces: [], origin: events.origin() };
      held.text += piece.text;
      held.pieces.push(piece);
      if (piece.type === 'line') return await release();
      // The last sentence may not be complete.
      const done = bySentence ? /^[\s\S]*[.!?…]["')\]]*\s+/u.exec(held.text)?.[0] : undefined;
      if (done === undefined) return true;
      const { origin } = held;
      const rest = held.text.slice(done.length);
      held.text = done;
      const more = await release();
      held = { key: piece.key, text: rest, pieces: [], origin };
      return more;
    };
    return { give: hold, end: async () => isWanted && (await release(true)) };
  };

  const output =
    parts.output === null
      ? null
      : createStructuredOutput(parts.output, {
          hub,
          engine: parts.engine,
          leadsOn: (structured) => leadsTo(parts.router?.byReply(structured)),
          onStructured(structured) {
            turn.structured = structured;
            toRoute = { structured };
            // A hook decides only about words.
            if (!hooks.has.beforeResponse || structured?.['reply'] === '') route();
          },
        });
  /** Routes a structured answer to a flow by a signal, so that neither an interruption nor a crash loses it. */
  const route = (): void => {
    const found = toRoute === null ? null : (parts.router?.byReply(toRoute.structured) ?? null);
    toRoute = null;
    if (found === null) return;
    events.routed(found);
    const said = turn.inbound === null ? {} : { inbound: turn.inbound };
    if (found.to !== classic)
      parts.engine().dispatch({ signal: { type: 'reply:routed', at: clock.now(), to: found.to, ...said } });
  };

  const settleOne = async (reply: string, record: TurnRecord, facts: ResponseFacts): Promise<void> => {
    const engine = parts.engine();
    const { structured, policy, inbound, suppressed } = record;
    if (reply !== '') events.tell('response:sent', facts);
    else if (suppressed !== null) events.suppress(suppressed, facts);
    try {
      // Only an `onResponse` hook requires the reply to be durable now.
      if (hooks.has.onResponse) await engine.keep();
      else if (!engine.isCommitted()) await engine.committed();
    } catch {
      events.fail('persist', 'store-failed', facts);
      return;
    }
    if (reply !== '') events.tell('response:persisted', facts);
    if (!hooks.has.onResponse) return;
    const { source, flowId, hitl, belongsTo, interrupted } = facts;
    const meta: ResponseMeta = {
      source,
      flowId,
      ...(facts.handoffFrom === undefined ? {} : { handoffFrom: facts.handoffFrom }),
      policy,
      ...belongsTo,
      ...hitl,
      ...(interrupted ? { interrupted } : {}),
    };
    await hooks.onResponse({ ...structured, reply }, { ...parts.context, inbound }, meta);
  };

  return {
    output,
    open(isCurrent, give, isFirst) {
      if (isFirst) [toRoute, hasBlocked] = [null, false];
      if (hooks.has.beforeResponse) return heldOutput(isCurrent, give);
      return {
        give(piece) {
          if (piece.text.trim() !== '') saidBy = events.origin();
          return give(piece);
        },
        end: null,
      };
    },
    decides: hooks.has.beforeResponse,
    takeShown(line) {
      const index = shown.indexOf(wordsOf(line));
      if (index >= 0) shown = shown.toSpliced(0, index + 1);
      return index >= 0;
    },
    heard(text, interrupted) {
      if (text.trim() === '') return;
      heard.push(text.trim());
      wasInterrupted = interrupted;
    },
    settle() {
      shown = [];
      const engine = parts.engine();
      const mayBeHeard = engine.outbox.speaks() || engine.calls.underWay() !== null;
      if (heard.length === 0 && (turn.suppressed === null || mayBeHeard)) return;
      const reply = heard.join(' ');
      // The next turn may have begun and the flow may have ended when this reply is reported.
      const facts = events.facts({ interrupted: wasInterrupted, handoffFrom, saidBy });
      if (reply !== '') prepare(facts);
      const record = { ...turn };
      if (reply === '' && record.suppressed !== null) engine.tracer.suppressed();
      heard = [];
      wasInterrupted = false;
      isPrepared = false;
      handoffFrom = undefined;
      saidBy = undefined;
      turn.suppressed = null;
      telling = telling.then(() => settleOne(reply, record, facts));
    },
    told: () => telling,
  };
}

/** Checks whether a route leads away from the prompt. */
function leadsTo(route: Route | null | undefined): boolean {
  return route !== null && route !== undefined && route.to !== classic;
}

type Action = NonNullable<NonNullable<ResponseMeta['policy']>['beforeResponseAction']>;

const strength: Readonly<Record<Action, number>> = { continue: 0, replace: 1, cancel: 2 };

/** Returns the stronger of two decisions about parts of one reply. */
function strongest(before: Action | undefined, now: Action): Action {
  return before !== undefined && strength[before] > strength[now] ? before : now;
}

/** Speech that is held back until a hook has decided about it. */
interface Held<Chunk> {
  readonly key: string;
  text: string;
  readonly pieces: Spoken<Chunk>[];
  readonly origin: ReplyOrigin;
}

/** Removes the characters that LiveKit may omit from speech. */
function wordsOf(line: string): string {
  return line.replace(/[^\p{L}\p{N}]/gu, '');
}
