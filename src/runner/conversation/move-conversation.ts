import { FlowError } from '../../model/errors.ts';
import { languageTagSchema } from '../../flow/document/language-tag.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { isInsideCall } from '../../livekit/agent/origin.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Conversation } from './open-conversation.ts';

/** Moves the conversation by code: running reads are aborted, writes are kept. Resolves when the resulting speech was said. */
export async function moveByCode(
  { engine, agent }: Conversation,
  move: (engine: Engine) => void | Promise<void>,
): Promise<void> {
  await agent.hush();
  // A function that moves the conversation itself has not ended yet.
  if (!isInsideCall(engine.sessionId)) void engine.calls.overtake()?.catch(() => undefined); // Running calls report their own failures.
  await move(engine);
  agent.speakUp();
  await agent.idle();
}

/** Changes the language. Throws `language-unlisted` if the active flow does not list it. */
export function changeLanguage(engine: Engine, language: string): void {
  if (languageTagSchema.safeParse(language).success && engine.language.change(language, 'code')) return;
  const { name, languages } = engine.graph;
  throw new FlowError(
    'language-unlisted',
    `flow "${name}" cannot go on in "${language}": it is held in ${languages?.join(', ') ?? 'any language by its tag'}. ` +
      'Add the language to languages: of the flow, or give a tag such as es or pt-BR.',
  );
}

/** Throws `node-unknown`. */
export function assertNode(graph: Graph, node: string): void {
  if (!graph.nodes.has(node))
    throw new FlowError('node-unknown', `node "${node}" is not in flow "${graph.name}". Name one of its nodes.`);
}
