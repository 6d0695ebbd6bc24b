import type { ConversationFlow } from './document.ts';

/** What the classic path is called where flows have names. */
export const classic = 'classic';

/** What an agent is without a flow. */
export interface ClassicParts {
  /** What the model is told; `{{ name }}` stands for a value of `context`. */
  readonly prompt: string;
  /** Values of the prompt. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Names of registered functions. */
  readonly functions: readonly string[];
}

/**
 * The classic path as a flow of one node: a prompt and its functions, with no end of its own. It waits for the caller,
 * as a plain agent would, and for as long as they like.
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

/** The classic path of an agent; null where it has no prompt. */
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
  const functions = tools.map(({ name }) => name);
  return classicFlow({ prompt, functions, ...(context === undefined ? {} : { context }) });
}

/** Whether a document is that of the classic path, which no node needs to lead on from. */
export function isClassicFlow(document: unknown): boolean {
  if (typeof document !== 'object' || document === null || !('name' in document) || !('nodes' in document))
    return false;
  const { name, nodes } = document;
  if (name !== classic || typeof nodes !== 'object' || nodes === null) return false;
  const ids = Object.keys(nodes);
  return ids.length === 1 && ids[0] === classic;
}
