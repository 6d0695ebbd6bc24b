import type {
  AnswerKind,
  AnswerOf,
  AskOptions,
  ConfirmOptions,
  EscalateOptions,
  FlowResumeInput,
  FlowYield,
  ToolOptions,
  ToolOutcome,
  WaitOptions,
} from './generator.ts';

type Yielding<Answer> = Generator<FlowYield, Answer, FlowResumeInput>;

/**
 * Speaks a line word for word. Throws nothing: a value that is not text fails the run with `yield-invalid`.
 *
 * @example
 * defineFlow(async function* () {
 *   yield* say('Nice to meet you.');
 * });
 */
export function* say(text: string): Yielding<void> {
  yield { type: 'say', text };
}

/**
 * Asks the caller. The answer is a string; with a `type` or a zod `schema` it has that type, and an invalid answer repeats the
 * question. Throws nothing: invalid rules fail the run with `yield-invalid`.
 *
 * @example
 * defineFlow(async function* () {
 *   const count = yield* ask({ key: 'count', text: 'How many?', type: 'integer' });
 * });
 */
export function* ask<const Options extends AskOptions>(options: Options): Yielding<AnswerOf<Options>> {
  const { key, text, again, schema, ...rules } = options;
  // The remaining options are the rules of the answer.
  const expects = schema ?? (rules.type === undefined ? undefined : (rules as AnswerKind));
  const answer = yield {
    type: 'ask',
    key,
    text,
    ...(again === undefined ? {} : { again }),
    ...(expects === undefined ? {} : { expects }),
  };
  return answer as AnswerOf<Options>; // The runner resumes a question only with a valid answer.
}

/**
 * Calls a registered function. Failures and refused arguments are outcomes, not exceptions. Throws nothing: arguments that
 * are not JSON fail the run with `yield-invalid`.
 *
 * @example
 * defineFlow(async function* () {
 *   const found = yield* tool<{ price: number }>({ name: 'find_price', args: { item: 'tulips' } });
 *   yield* say(found.ok ? `It is ${found.result.price}.` : 'I cannot tell.');
 * });
 */
export function* tool<Result = unknown>(options: ToolOptions): Yielding<ToolOutcome<Result>> {
  const outcome = yield { type: 'tool', ...options };
  return outcome as ToolOutcome<Result>; // The author declares the type of the result.
}

/** Waits for a person or an event outside the call. Returns the resolution. */
function* waitFor(
  name: 'escalate' | 'confirm' | 'wait',
  options: object & { readonly key: string },
): Yielding<unknown> {
  const { key, ...input } = options;
  return yield { type: `interrupt.${name}`, key, input };
}

/**
 * Waits for people, times and events outside the call. The agent talks to the caller meanwhile; a hang-up leaves the wait open.
 * Returns the resolution. Throws nothing: an input that the node type of the same name refuses fails the run with
 * `yield-invalid`.
 *
 * @example
 * defineFlow(async function* () {
 *   const { decision } = yield* interrupt.escalate({ key: 'refund', to: 'refunds', question: 'Refund 12 euros?' });
 *   yield* say(decision === 'approve' ? 'It is approved.' : 'I am sorry.');
 * });
 */
export const interrupt = {
  /** Asks a person with authority. */
  *escalate(options: EscalateOptions): Yielding<{ readonly decision: string; readonly comment?: string }> {
    return (yield* waitFor('escalate', options)) as { decision: string }; // Guaranteed by its schema.
  },
  /** Asks the person in `of`, or the caller, for a yes or no. */
  *confirm(options: ConfirmOptions): Yielding<{ readonly decision: 'yes' | 'no'; readonly comment?: string }> {
    if (options.of !== undefined) return (yield* waitFor('confirm', options)) as { decision: 'yes' | 'no' };
    const { key, question: text } = options;
    const isAgreed = yield { type: 'ask', key, text, expects: { type: 'boolean' }, isConsent: true };
    return { decision: isAgreed === true ? 'yes' : 'no' };
  },
  /** Waits for a time, an event, or the words (`text`) of a person who answers for the caller. */
  *wait(options: WaitOptions): Yielding<Readonly<Record<string, unknown>>> {
    return (yield* waitFor('wait', options)) as Readonly<Record<string, unknown>>;
  },
};

/**
 * Ends this flow and starts another one with this input. Code after it does not run. Throws nothing: an unknown flow
 * fails the run with `flow-unknown`.
 *
 * @example
 * defineFlow(async function* () {
 *   yield* handoff('reminder', { name: 'Ada' });
 * });
 */
export function* handoff(to: string, input?: unknown): Yielding<never> {
  yield { type: 'handoff', to, ...(input === undefined ? {} : { input }) };
  throw new Error('A flow that has handed off was resumed.');
}

/**
 * Ends the flow. Code after it does not run. Throws nothing.
 *
 * @example
 * defineFlow(async function* () {
 *   yield* end('done');
 * });
 */
export function* end(reason?: string): Yielding<never> {
  yield { type: 'end', ...(reason === undefined ? {} : { reason }) };
  throw new Error('A flow that has ended was resumed.');
}
