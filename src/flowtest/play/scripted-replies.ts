import { answerFunctionName, recordFunctionName } from '../../flow/document/function.ts';
import type { ScriptedCall, ScriptedReply, ScriptedRequest } from '../../testing/scripted-model.ts';
import type { ModelReply, ModelRule } from '../document/document.ts';
import { lengthMs } from '../document/durations.ts';
import { hasText } from '../document/text-match.ts';

/** A request for which the test has no answer. */
export interface Unanswered {
  readonly node: string;
  readonly request: ScriptedRequest;
}

/** The model's answers in a run, by request, so that a run with a crash gets the same answers. */
export type ReplyMemory = Map<string, ScriptedReply[]>;

/** The answers of a scenario's model. */
export interface ScriptedReplies {
  /** Begins a turn, with its own answers. */
  begin(turn: number, replies: readonly ModelReply[]): void;
  answer(request: ScriptedRequest): ScriptedReply;
  /** The number of unused answers of the turn. Answers that only repeat what rules have read do not count. */
  readonly left: number;
  /** Requests of the turn that the test does not answer. */
  readonly unanswered: readonly Unanswered[];
  readonly memory: ReplyMemory;
}

/** Answers by turn, then by the rules of the node, then by those of every node. */
export function createScriptedReplies(
  rules: Readonly<Record<string, readonly ModelRule[]>>,
  remembered: ReplyMemory | null = null,
): ScriptedReplies {
  const memory: ReplyMemory = new Map();
  const used = new Map<ModelRule, number>();
  const repeated = new Map<string, number>();
  let turn = -1;
  let queue: ModelReply[] = [];
  let unanswered: Unanswered[] = [];

  const ruleFor = (request: ScriptedRequest): ModelRule | undefined => {
    const own = Object.hasOwn(rules, request.node) ? rules[request.node] : undefined;
    const rule = [...(own ?? []), ...(rules['*'] ?? [])].find(
      (one) => (used.get(one) ?? 0) < (one.times ?? Infinity) && fits(one, request),
    );
    if (rule !== undefined) used.set(rule, (used.get(rule) ?? 0) + 1);
    return rule;
  };
  /** The earlier answer to the same request, because a crash repeats some requests. */
  const again = (request: ScriptedRequest): ScriptedReply | undefined => {
    const key = keyOf(turn, request);
    const known = remembered?.get(key) ?? remembered?.get(keyOf(null, request));
    const nth = repeated.get(key) ?? 0;
    repeated.set(key, nth + 1);
    return known?.[Math.min(nth, known.length - 1)];
  };
  const remember = (request: ScriptedRequest, reply: ScriptedReply): ScriptedReply => {
    for (const key of [keyOf(turn, request), keyOf(null, request)])
      memory.set(key, [...(memory.get(key) ?? []), reply]);
    return reply;
  };

  return {
    begin(next, replies) {
      turn = next;
      queue = [...replies];
      unanswered = [];
    },
    answer(request) {
      if (remembered !== null) return again(request) ?? { text: unscripted };
      const own = queue.shift();
      if (own !== undefined) return remember(request, toReply(own));
      const rule = ruleFor(request);
      if (rule !== undefined) return remember(request, toReply(rule));
      unanswered.push({ node: request.node, request });
      return remember(request, { text: unscripted });
    },
    get left() {
      return queue.filter((one) => !onlyReads(one)).length;
    },
    get unanswered() {
      return unanswered;
    },
    memory,
  };
}

/**
 * Checks whether an answer only records values or answers the open question: rules may have done that without the
 * model.
 */
function onlyReads(given: ModelReply): boolean {
  const { text = '', calls = [], fails } = toReply(given);
  if (text !== '' || fails !== undefined) return false;
  return calls.length > 0 && calls.every(({ name }) => name === recordFunctionName || name === answerFunctionName);
}

const unscripted = 'I see.';

function keyOf(turn: number | null, { node, items }: ScriptedRequest): string {
  return JSON.stringify([turn, node, items.at(-1) ?? '']);
}

function fits({ when, afterTool, call, calls }: ModelRule, request: ScriptedRequest): boolean {
  if (afterTool !== undefined) return afterTool === request.afterTool;
  if (when !== undefined) return request.userText !== '' && hasText(when, request.userText);
  return (call === undefined && calls === undefined) || request.afterTool === '';
}

function toReply(given: ModelReply): ScriptedReply {
  if (typeof given === 'string') return { text: given };
  const { say, call, args, calls = [], record, after, perWord, fails } = given;
  const all: ScriptedCall[] = [
    ...(record === undefined ? [] : [{ name: recordFunctionName, arguments: record }]),
    ...(call === undefined ? [] : [{ name: call, arguments: args ?? {} }]),
    ...calls.map(({ call: name = '', args: given = {} }) => ({ name, arguments: given })),
  ];
  return {
    ...(say === undefined ? {} : { text: say }),
    ...(all.length === 0 ? {} : { calls: all }),
    ...(after === undefined ? {} : { delayMs: lengthMs(after) }),
    ...(perWord === undefined ? {} : { wordMs: lengthMs(perWord) }),
    ...(fails === undefined ? {} : { fails: fails === true ? 'error' : fails }),
  };
}
