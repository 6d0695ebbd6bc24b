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

/** Says a line word for word: `yield* say('Nice to meet you.')`. */
export function* say(text: string): Yielding<void> {
  yield { type: 'say', text };
}

/**
 * Asks the caller: `const name = yield* ask({ key: 'name', text: 'Who is calling?' })` is a string. With a `type` or a
 * zod `schema` the answer is of that type; what does not fit is asked again.
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

/** Calls a registered function; failures and refused arguments are outcomes, not exceptions. */
export function* tool<Result = unknown>(options: ToolOptions): Yielding<ToolOutcome<Result>> {
  const outcome = yield { type: 'tool', ...options };
  return outcome as ToolOutcome<Result>; // What the function returns is the author's to know.
}

/** Ends this flow and begins another one with this input. Nothing after it runs. */
export function* handoff(to: string, input?: unknown): Yielding<never> {
  yield { type: 'handoff', to, ...(input === undefined ? {} : { input }) };
  throw new Error('A flow that has handed off was resumed.');
}

/** Ends the flow. Nothing after it runs. */
export function* end(reason?: string): Yielding<never> {
  yield { type: 'end', ...(reason === undefined ? {} : { reason }) };
  throw new Error('A flow that has ended was resumed.');
}
