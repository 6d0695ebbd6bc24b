import type { ConversationFlow } from './document.ts';

/** The flow name of the classic path. */
export const classic = 'classic';

/** The parts of an agent without a flow. */
export interface ClassicParts {
  /** The prompt. `{{ name }}` is a value of `context`. */
  readonly prompt: string;
  /** Values of the prompt. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Names of registered functions. */
  readonly functions: readonly string[];
}

/**
 * Creates the classic path as a flow of one node: a prompt and its functions, without an end. Like a plain agent it waits
 * for the caller without a time limit.
 */
export function classicFlow({ prompt, context, functions }: ClassicParts): ConversationFlow {
  return {
    name: classic,
    initialNode: classic,
    ladder: { noInputMs: 0 },
    ...(context === undefined ? {} : { state: { ...context } }),
    nodes: {
      [classic]: {
        taskMessages: [{ role: 'system', content: prompt }],
        functions: functions.map((name) => ({ name })),
        respondImmediately: false,
      },
    },
  };
}

/** Returns the classic path of an agent; null without a prompt. */
export function promptedFlow({
  prompt,
  context,
  tools = [],
}: {
  readonly prompt?: string | undefined;
  readonly context?: ClassicParts['context'] | undefined;
  readonly tools?: readonly { readonly name: string }[] | undefined;
}): ConversationFlow | null {
  if (prompt === undefined) return null;
  // A tool of a server is offered only where a flow names it.
  const functions = tools.map(({ name }) => name).filter((name) => !name.includes('.'));
  return classicFlow({ prompt, functions, ...(context === undefined ? {} : { context }) });
}

/** Checks whether a document is the classic path, whose node needs no way on. */
export function isClassicFlow(document: unknown): boolean {
  if (typeof document !== 'object' || document === null || !('name' in document) || !('nodes' in document))
    return false;
  const { name, nodes } = document;
  if (name !== classic || typeof nodes !== 'object' || nodes === null) return false;
  const ids = Object.keys(nodes);
  return ids.length === 1 && ids[0] === classic;
}
