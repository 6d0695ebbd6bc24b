import type { llm } from '@livekit/agents';
import type { View } from '../../kernel/view.ts';
import type { CallOutput } from '../../turn/call-output.ts';
import type { EffectOf } from '../../turn/perform.ts';
import { type ChatCut, chatView } from './chat-view.ts';

export interface ShownContextOptions {
  /** Everything that was said, whatever is shown of it. */
  items(): readonly llm.ChatItem[];
  outputOf(callId: string): CallOutput | undefined;
  /** A summary of what is shown; null where none could be had. */
  summarise(effect: EffectOf<'context'>): Promise<string | null>;
}

/** What the model is shown of the conversation. */
export interface ShownContext {
  /** `said` is what the caller says that is no part of the history yet. */
  under(view: View, said?: llm.ChatMessage): llm.ChatContext;
  /** Hides what was said so far, or puts a summary in its place: that is returned, and null where there is none. */
  change(effect: EffectOf<'context'>): Promise<string | null>;
}

export function createShownContext(options: ShownContextOptions): ShownContext {
  let cut: ChatCut | null = null;
  return {
    under: (view, said) => chatView(options.items(), view, cut, (callId) => options.outputOf(callId), said),
    async change(effect) {
      // What LiveKit notes of agents and their settings is nothing that was said.
      const said = options.items().filter(isOfConversation);
      const last = said.at(-1);
      // What the caller has said and nobody has answered yet belongs to the new node.
      const afterItem = (last?.type === 'message' && last.role === 'user' ? said.at(-2) : last)?.id ?? null;
      if (effect.payload.strategy === 'reset') {
        cut = { afterItem, summary: null };
        return null;
      }
      const summary = await options.summarise(effect);
      if (summary !== null) cut = { afterItem, summary };
      return summary;
    },
  };
}

function isOfConversation({ type }: llm.ChatItem): boolean {
  return type === 'message' || type === 'function_call' || type === 'function_call_output';
}
