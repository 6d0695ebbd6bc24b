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
 * Says a line word for word. Throws nothing: a text that is none fails the run with `yield-invalid`.
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
 * Asks the caller. The answer is a string; with a `type` or a zod `schema` it is of that type, and what does not fit is
 * asked again. Throws nothing: rules that no answer can be held to fail the run with `yield-invalid`.
 *
 * @example
 * defineFlow(async function* () {
 *   const count = yield* ask({ key: 'count', text: 'How many?', type: 'integer' });
 * });
 */
export function* ask<const Options extends AskOptions>(options: Options): Yielding<AnswerOf<Options>> {
  const { key, text, again, schema, ...rules } = options;
  // Without the question itself only the kind of answer is left.
  const expects = schema ?? (rules.type === undefined ? undefined : (rules as AnswerKind));
  const answer = yield {
    type: 'ask',
    key,
    text,
    ...(again === undefined ? {} : { again }),
    ...(expects === undefined ? {} : { expects }),
  };
  return answer as AnswerOf<Options>; // Whoever runs the flow resumes a question only with what it asked for.
}

/**
 * Calls a registered function; failures and refused arguments are outcomes, not exceptions. Throws nothing but what
 * fails the run: `yield-invalid` for arguments that JSON cannot hold.
 *
 * @example
 * defineFlow(async function* () {
 *   const found = yield* tool<{ price: number }>({ name: 'find_price', args: { item: 'tulips' } });
 *   yield* say(found.ok ? `It is ${found.result.price}.` : 'I cannot tell.');
 * });
 */
export function* tool<Result = unknown>(options: ToolOptions): Yielding<ToolOutcome<Result>> {
  const outcome = yield { type: 'tool', ...options };
  return outcome as ToolOutcome<Result>; // What the function returns is the author's to know.
}

/** Waits for somebody or something outside of the call: the answer is the resolution. */
function* waitFor(
  name: 'escalate' | 'confirm' | 'wait',
  options: object & { readonly key: string },
): Yielding<unknown> {
  const { key, ...input } = options;
  return yield { type: `interrupt.${name}`, key, input };
}

/**
 * Waits for people, times and events outside of the call, while the caller is kept company; a hang-up leaves the wait open.
 * What is waited for is answered with its resolution. Throws nothing: an input that no node of that name takes fails the run
 * with `yield-invalid`.
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
    return (yield* waitFor('escalate', options)) as { decision: string }; // Its schema has seen to it.
  },
  /** Asks for a yes or no: of whom `of` names, else of the caller. */
  *confirm(options: ConfirmOptions): Yielding<{ readonly decision: 'yes' | 'no'; readonly comment?: string }> {
    if (options.of !== undefined) return (yield* waitFor('confirm', options)) as { decision: 'yes' | 'no' };
    const { key, question: text } = options;
    const isAgreed = yield { type: 'ask', key, text, expects: { type: 'boolean' }, isConsent: true };
    return { decision: isAgreed === true ? 'yes' : 'no' };
  },
  /** Waits for a time, an event, or the words of a person (`text`) in the caller's stead. */
  *wait(options: WaitOptions): Yielding<Readonly<Record<string, unknown>>> {
    return (yield* waitFor('wait', options)) as Readonly<Record<string, unknown>>;
  },
};

/**
 * Ends this flow and begins another one with this input. Nothing after it runs. Throws nothing: where there is no such
 * flow, the run fails with `flow-unknown`.
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
 * Ends the flow. Nothing after it runs. Throws nothing.
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
