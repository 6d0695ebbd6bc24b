import { type APIConnectOptions, DEFAULT_API_CONNECT_OPTIONS, llm } from '@livekit/agents';
import { FlowError } from '../model/errors.ts';
import type { JsonObject } from '../model/json.ts';
import { has, optionFaults, optionShapes, type OptionShapes } from '../flow/document/problems/option-faults.ts';
import type { Clock } from '../model/ports/time.ts';
import { systemClock } from '../system.ts';

/** One request to the model, in a form for tests. */
export interface ScriptedRequest {
  /** The flow's node, if the model knows how to get it. */
  readonly node: string;
  /** All system messages, joined. */
  readonly instructions: string;
  /** The names of the functions that the model was offered. */
  readonly tools: readonly string[];
  /** The conversation as the model sees it: `user: …`, `assistant: …`, `call: name`, `output: name …`. */
  readonly items: readonly string[];
  /** The caller's words if the request answers them, else empty. */
  readonly userText: string;
  /** The function whose output the request answers, else empty. */
  readonly afterTool: string;
}

/** A function call by a scripted model. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments?: JsonObject;
  /** The arguments as raw text, for text that is not JSON. */
  readonly rawArguments?: string;
  /** The id that the provider gives the call. Default: a generated id. */
  readonly callId?: string;
}

/** One reply of the model. */
export interface ScriptedReply {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Before the first chunk. */
  readonly delayMs?: number;
  /** Between two words. */
  readonly wordMs?: number;
  /** The token usage of the request. Not reported if absent. */
  readonly tokens?: { readonly input: number; readonly output: number; readonly cached?: number };
  /** `error` fails before the first chunk. A number cuts the stream after so many words. */
  readonly fails?: 'error' | number;
}

/** A reply and its condition: these words of the caller, or the output of this function. */
export interface ScriptedRule extends ScriptedReply {
  readonly when?: RegExp | string;
  readonly afterTool?: string;
  /** How often the rule may be used. Default: without limit. */
  readonly times?: number;
}

/** Rules by node, with `*` for every node, or a function for full control. */
export type ModelScript =
  | Readonly<Record<string, readonly ScriptedRule[]>>
  | ((request: ScriptedRequest, count: number) => ScriptedReply);

const shapes: OptionShapes<ScriptedRule> = {
  text: ['a text', (value) => typeof value === 'string'],
  calls: [
    'a list of calls, each with a name',
    (value) => Array.isArray(value) && value.every((one) => has(one) && 'name' in one),
  ],
  delayMs: optionShapes.amount,
  wordMs: optionShapes.amount,
  tokens: ['an object with input and output', has],
  fails: ['"error" or a number of words', (value) => value === 'error' || typeof value === 'number'],
  when: ['a text or a regular expression', (value) => typeof value === 'string' || value instanceof RegExp],
  afterTool: ['the name of a function', (value) => typeof value === 'string'],
  times: optionShapes.amount,
};

/** Throws `script-invalid` with the place of each fault. */
function assertRules(script: unknown): void {
  if (typeof script === 'function') return;
  if (!has(script))
    throw new FlowError('script-invalid', 'the script of a model must be a function, or an object of rules by node.');
  const faults = Object.entries(script).flatMap(([node, rules]: [string, unknown]) =>
    Array.isArray(rules)
      ? rules.flatMap((rule: unknown, index) => faultsOfRule(rule).map((fault) => `${node}[${index}].${fault}`))
      : [`${node}: must be a list of rules.`],
  );
  if (faults.length > 0) throw new FlowError('script-invalid', ['the script of a model', ...faults].join('\n  '));
}

function faultsOfRule(rule: unknown): readonly string[] {
  return has(rule) ? optionFaults(rule, shapes) : ['rule: must be an object.'];
}

/**
 * A language model that follows a script and records every request, for tests without a network or random results. An
 * `AgentSession` can use it like any other `llm.LLM`. Throws `script-invalid` for invalid rules.
 * @example
 * const model = new ScriptedModel({ '*': [{ when: 'tulips', calls: [{ name: 'record', arguments: { flowers: 'tulips' }
 * }] }] }); await simulateRoom('order.yaml', [{ say: 'tulips' }], { model }); console.log(model.requests.at(0)?.tools);
 */
export class ScriptedModel extends llm.LLM {
  readonly requests: ScriptedRequest[] = [];
  readonly #script: ModelScript;
  readonly #clock: Clock;
  readonly #used = new Map<ScriptedRule, number>();
  #calls = 0;
  /** Returns the node in which a request is made. */
  nodeOf: () => string = () => '';

  constructor(script: ModelScript, options: { readonly clock?: Clock } = {}) {
    super();
    assertRules(script);
    this.#script = script;
    this.#clock = options.clock ?? systemClock;
  }

  override label(): string {
    return 'roomflow.ScriptedModel';
  }

  override get model(): string {
    return 'scripted';
  }

  override get provider(): string {
    return 'roomflow';
  }

  override chat(options: {
    chatCtx: llm.ChatContext;
    toolCtx?: llm.ToolContextLike;
    connOptions?: APIConnectOptions;
  }): llm.LLMStream {
    const request = describeRequest(options.chatCtx, options.toolCtx, this.nodeOf());
    this.requests.push(request);
    const reply = this.#replyTo(request);
    const calls = (reply.calls ?? []).map((call) =>
      llm.FunctionCall.create({
        callId: call.callId ?? `call_${(this.#calls += 1)}`,
        name: call.name,
        args: call.rawArguments ?? JSON.stringify(call.arguments ?? {}),
      }),
    );
    return new ScriptedStream(this, reply, calls, this.#clock, {
      chatCtx: options.chatCtx,
      ...(options.toolCtx === undefined ? {} : { toolCtx: options.toolCtx }),
      connOptions: { ...(options.connOptions ?? DEFAULT_API_CONNECT_OPTIONS), maxRetry: 0 },
    });
  }

  #replyTo(request: ScriptedRequest): ScriptedReply {
    if (typeof this.#script === 'function') return this.#script(request, this.requests.length);
    const own = Object.hasOwn(this.#script, request.node) ? this.#script[request.node] : undefined;
    for (const rule of [...(own ?? []), ...(this.#script['*'] ?? [])]) {
      const used = this.#used.get(rule) ?? 0;
      if (used >= (rule.times ?? Infinity) || !fits(rule, request)) continue;
      this.#used.set(rule, used + 1);
      return rule;
    }
    return { text: 'I see.' };
  }
}

function fits(rule: ScriptedRule, request: ScriptedRequest): boolean {
  if (rule.afterTool !== undefined) return rule.afterTool === request.afterTool;
  if (rule.when === undefined) return rule.calls === undefined || request.afterTool === '';
  if (request.userText === '') return false;
  return typeof rule.when === 'string'
    ? request.userText.toLowerCase().includes(rule.when.toLowerCase())
    : rule.when.test(request.userText);
}

class ScriptedStream extends llm.LLMStream {
  readonly #reply: ScriptedReply;
  readonly #calls: readonly llm.FunctionCall[];
  readonly #clock: Clock;

  constructor(
    model: llm.LLM,
    reply: ScriptedReply,
    calls: readonly llm.FunctionCall[],
    clock: Clock,
    options: ConstructorParameters<typeof llm.LLMStream>[1],
  ) {
    super(model, options);
    this.#reply = reply;
    this.#calls = calls;
    this.#clock = clock;
  }

  protected override async run(): Promise<void> {
    const { text = '', delayMs = 0, wordMs = 0, tokens, fails } = this.#reply;
    if (delayMs > 0) await this.#pause(delayMs);
    if (this.abortController.signal.aborted) return;
    if (fails === 'error') throw new Error('The scripted model fails.');
    const id = 'scripted';
    const words = text.match(/\S+\s*/g) ?? [];
    for (const [index, word] of words.entries()) {
      if (index === fails) throw new Error('The scripted model breaks off.');
      if (this.abortController.signal.aborted) return;
      if (wordMs > 0 && index > 0) await this.#pause(wordMs);
      this.queue.put({ id, delta: { role: 'assistant', content: word } });
    }
    if (this.#calls.length > 0) this.queue.put({ id, delta: { role: 'assistant', toolCalls: [...this.#calls] } });
    if (tokens === undefined) return;
    const { input, output, cached = 0 } = tokens;
    const usage = { promptTokens: input, completionTokens: output, promptCachedTokens: cached };
    this.queue.put({ id, usage: { ...usage, totalTokens: input + output } });
  }

  /** Waits, or stops when the request is cancelled. */
  #pause(ms: number): Promise<void> {
    const { signal } = this.abortController;
    return new Promise((resolve) => {
      const stop = (): void => {
        cancel();
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const cancel = this.#clock.schedule(ms, stop);
      signal.addEventListener('abort', stop);
    });
  }
}

/** A request in the form for tests. `node` is the flow's node. */
export function describeRequest(
  context: llm.ChatContext,
  tools: llm.ToolContextLike | undefined,
  node: string,
): ScriptedRequest {
  const { items } = context;
  // The flow's last system message is not part of the conversation.
  const last = items.findLast((item) => item.type !== 'message' || item.role !== 'system');
  return {
    node,
    instructions: items
      .flatMap((item) => (item.type === 'message' && item.role === 'system' ? [item.textContent ?? ''] : []))
      .join('\n\n'),
    tools: Object.keys(llm.toToolContext(tools)?.functionTools ?? {}).toSorted(),
    items: items.flatMap((item) => {
      if (item.type === 'message') return item.role === 'system' ? [] : [`${item.role}: ${item.textContent ?? ''}`];
      if (item.type === 'function_call') return [`call: ${item.name}`];
      return item.type === 'function_call_output' ? [`output: ${item.name} ${item.output}`] : [];
    }),
    userText: last?.type === 'message' && last.role === 'user' ? (last.textContent ?? '') : '',
    afterTool: last?.type === 'function_call_output' ? last.name : '',
  };
}
