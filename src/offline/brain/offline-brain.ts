import { type APIConnectOptions, DEFAULT_API_CONNECT_OPTIONS, llm } from '@livekit/agents';
import type { JsonObject } from '../../model/json.ts';
import { isPlainObject } from '../../flow/expression/own-value.ts';
import { answerFunctionName, languageFunctionName } from '../../flow/document/function.ts';
import { isOtherLanguage } from '../../language/other-language.ts';
import { saysNothing } from '../../language/english/connecting.ts';
import { readConsent } from '../../language/english/answers/consent.ts';
import { isYesNoQuestion } from '../../language/english/answers/questions.ts';
import { read } from '../../language/english/reading.ts';
import { plainAnswer } from '../../language/english/answers/yes-no.ts';
import type { Clock } from '../../model/ports/time.ts';
import { systemCivilTime, systemClock, systemIds, systemTimeZone } from '../../system.ts';
import { type BrainCall, type BrainDecision, chooseCalls } from './choose/choose-calls.ts';
import { readsBack } from './asked-fields.ts';
import {
  type Conversation,
  type ConversationItem,
  createConversation,
  lastAgentText,
  openQuestion,
  wordsToAnswer,
} from './conversation.ts';
import { denies, featuresOf, isQuestion } from './choose/features.ts';
import { goOn } from './phrase-reply.ts';
import type { BrainTool } from './schema.ts';
import { languageAsked } from './language-asked.ts';
import { isSummaryRequest, summaryOf } from './summary.ts';

/** Maximum length of a message that is read, in characters; it keeps every rule fast. */
const longestMessage = 4_000;

type OfferedTool = Pick<llm.FunctionTool, 'description' | 'parameters'>;

export interface OfflineBrainOptions {
  /** The date for "tomorrow", if the instructions do not say "Today is YYYY-MM-DD". */
  readonly clock?: Clock;
  /** IANA time zone of the clock. Default: the zone of the machine. */
  readonly timeZone?: string;
  /** ISO country of phone numbers without a country code. Default: US. */
  readonly region?: string;
}

/**
 * Rules instead of a language model, without key or network. Fills the functions in scope from the caller's words, asks
 * about unclear values and speaks the results of functions. It understands only English and is silent in other
 * languages. It does not reason and cannot replace a model in free conversation. The same conversation always gets the
 * same reply.
 *
 * @example
 * await simulateRoom('order.yaml', [{ say: 'tulips' }], { model: new OfflineBrain() });
 */
export class OfflineBrain extends llm.LLM {
  readonly #clock: Clock;
  readonly #timeZone: string;
  readonly #region: string;
  readonly #tools = new WeakMap<OfferedTool, BrainTool>();

  constructor(options: OfflineBrainOptions = {}) {
    super();
    this.#clock = options.clock ?? systemClock;
    this.#timeZone = options.timeZone ?? systemTimeZone();
    this.#region = options.region ?? 'US';
  }

  override label(): string {
    return 'roomflow.OfflineBrain';
  }

  override get model(): string {
    return 'rules';
  }

  override get provider(): string {
    return 'roomflow';
  }

  override chat(options: {
    chatCtx: llm.ChatContext;
    toolCtx?: llm.ToolContextLike;
    connOptions?: APIConnectOptions;
    toolChoice?: llm.ToolChoice;
  }): llm.LLMStream {
    const { chatCtx, toolCtx, toolChoice } = options;
    const tools = toolChoice === 'none' ? [] : this.#toolsOf(toolCtx);
    const decision = decide(tools, this.#conversation(chatCtx));
    return new BrainStream(this, decision, chatCtx, {
      chatCtx,
      ...(toolCtx === undefined ? {} : { toolCtx }),
      connOptions: { ...(options.connOptions ?? DEFAULT_API_CONNECT_OPTIONS), maxRetry: 0 },
    });
  }

  #toolsOf(toolCtx: llm.ToolContextLike | undefined): BrainTool[] {
    const offered: Readonly<Record<string, OfferedTool>> = llm.toToolContext(toolCtx)?.functionTools ?? {};
    return Object.entries(offered).map(([name, tool]) => {
      const known = this.#tools.get(tool);
      if (known !== undefined) return known;
      const brainTool = { name, description: tool.description, parameters: schemaOf(tool) };
      this.#tools.set(tool, brainTool);
      return brainTool;
    });
  }

  #conversation(context: llm.ChatContext): Conversation {
    const instructions: string[] = [];
    const items: ConversationItem[] = [];
    for (const item of context.items) {
      if (item.type === 'function_call') items.push({ type: 'call', name: item.name, arguments: item.args });
      else if (item.type === 'function_call_output')
        items.push({ type: 'output', name: item.name, text: item.output, isError: item.isError });
      else if (item.type === 'message') {
        const text = (item.textContent ?? '').slice(0, longestMessage);
        if (item.role === 'user') items.push({ type: 'caller', text });
        else if (item.role === 'assistant') items.push({ type: 'agent', text });
        else instructions.push(text);
      }
    }
    const now = systemCivilTime(this.#clock.now(), this.#timeZone);
    return createConversation(instructions.join('\n\n'), items, { now, region: this.#region });
  }
}

/** Returns a warning if the model cannot speak a language; null if it can. */
export function whySilent(model: unknown, language: string): string | null {
  if (!(model instanceof OfflineBrain) || /^en\b/.test(language)) return null;
  return `the offline brain knows only English: in "${language}" it says nothing, and only rules understand the caller. Name a model.`;
}

/** Decides the next step of a conversation. Pure. */
export function decide(offered: readonly BrainTool[], conversation: Conversation): BrainDecision {
  // It cannot read other languages and must not answer in English.
  if (conversation.isForeign) return { calls: [], text: '' };
  const words = wordsToAnswer(conversation);
  const other = words === null ? null : languageAsked(offered, words);
  if (other !== null) return { calls: [other], text: '' };
  const spoken = offered.filter(({ name }) => name !== languageFunctionName);
  const tools = spoken.filter((tool) => !settlesQuestion(tool));
  const agreed = words === null || tools.length === spoken.length ? null : answerTo(words, conversation);
  if (agreed !== null) return { calls: [agreed], text: '' };
  if (words !== null && tools.length === 0 && isSummaryRequest(words))
    return { calls: [], text: summaryOf(conversation.items) };
  if (words === null) return goOn(tools, conversation);
  // Text in another language is not understood; the question is repeated.
  if (isOtherLanguage(words, 'en')) return { calls: [], text: '' };
  const decision = chooseCalls(tools, words, conversation);
  const isNothing = decision.calls.length === 0 && decision.text === '';
  if (isNothing && tools.length < spoken.length && agreesBesides(words, conversation))
    return { calls: [{ name: answerFunctionName, arguments: { agrees: true } }], text: '' };
  return decision.calls.length === 0 && isSpent(words, conversation) ? goOn(tools, conversation) : decision;
}

/** Checks whether a function only reports agreement, for which rules accept only a plain answer. */
function settlesQuestion({ name, parameters }: BrainTool): boolean {
  const { properties } = parameters;
  return name === answerFunctionName && isPlainObject(properties) && Object.hasOwn(properties, 'agrees');
}

function answerTo(words: string, { items }: Conversation): BrainCall | null {
  const { answer } = readConsent(words, lastAgentText(items));
  return answer === undefined ? null : { name: answerFunctionName, arguments: { agrees: answer === 'yes' } };
}

/** Checks for a yes whose other words add nothing: "Yes indeed, that is what I want". */
function agreesBesides(words: string, { items }: Conversation): boolean {
  const { leansYes } = readConsent(words, lastAgentText(items));
  // "Okay so" has no other words because it was cut off.
  if (
    leansYes !== true ||
    saysNothing(words) ||
    isQuestion(words) ||
    denies(words) ||
    read('number', words, { now: '' }).ok
  )
    return false;
  return featuresOf(words).every(({ start, end }) => plainAnswer(words.slice(start, end)) === 'yes');
}

/**
 * Checks whether a yes was already processed: the value that was read back is confirmed and the conversation has moved
 * on.
 */
function isSpent(words: string, { items, known, unconfirmed }: Conversation): boolean {
  const agentText = lastAgentText(items);
  if (plainAnswer(words) !== 'yes' || !isYesNoQuestion(openQuestion(agentText))) return false;
  return [...known].some(([name, value]) => !unconfirmed.has(name) && readsBack(agentText, value));
}

function schemaOf(tool: OfferedTool): JsonObject {
  // LiveKit converts its own schemas and zod's to JSON Schema.
  return llm.toJsonSchema(tool.parameters, false) as JsonObject;
}

class BrainStream extends llm.LLMStream {
  readonly #decision: BrainDecision;
  readonly #turn: number;

  constructor(
    model: llm.LLM,
    decision: BrainDecision,
    context: llm.ChatContext,
    options: ConstructorParameters<typeof llm.LLMStream>[1],
  ) {
    super(model, options);
    this.#decision = decision;
    this.#turn = context.items.length;
  }

  protected override async run(): Promise<void> {
    const { text, calls } = this.#decision;
    const id = `rules_${this.#turn}`;
    for (const word of text.match(/\S+\s*/g) ?? []) this.queue.put({ id, delta: { role: 'assistant', content: word } });
    if (calls.length === 0) return;
    const toolCalls = calls.map((call) =>
      llm.FunctionCall.create({
        callId: systemIds.create('call'),
        name: call.name,
        args: JSON.stringify(call.arguments),
      }),
    );
    this.queue.put({ id, delta: { role: 'assistant', toolCalls } });
  }
}
