import type {
  AnswerKind,
  AnswerOf,
  AskOptions,
  FlowResumeInput,
  FlowYield,
  ToolOptions,
  ToolOutcome,
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
