import { llm } from '@livekit/agents';
import { hiddenBy, strategyOf } from '../../flow/document/context/context-strategies.ts';
import type { View } from '../../kernel/state/view.ts';
import type { CallOutput } from '../../engine/calls/call-output.ts';
import type { EffectOf } from '../../engine/performer.ts';
import { type ChatCut, chatView, isPrompt } from './chat-view.ts';
import { firstToKeep, isOfConversation, shortened, sizeOf, withoutOpenWords } from './context-budget.ts';

export interface ShownContextOptions {
  /** The whole history, shown or hidden. */
  items(): readonly llm.ChatItem[];
  outputOf(callId: string): CallOutput | undefined;
  /** Returns a message without asides; null if it contains nothing else. */
  withoutAsides(message: llm.ChatMessage): llm.ChatMessage | null;
  /** Maximum length of the shown conversation in characters, without the prompt. */
  readonly mostCharacters: number;
  /** Summarises a conversation by a prompt; null if that fails. */
  summarise(prompt: string, context: llm.ChatContext): Promise<string | null>;
}

/** The conversation as the model sees it. */
export interface ShownContext {
  /**
   * Returns the conversation under a view. If it is too long, its oldest turns are hidden from then on
   * and later replaced by their summary. `said`: the caller's words that are not in the history yet.
   */
  under(view: View, said?: llm.ChatMessage): llm.ChatContext;
  /** Hides the conversation so far or replaces it by a summary, which is returned; null if there is none. */
  change(effect: EffectOf<'context'>, view: View): Promise<string | null>;
  /** The model rejected the last context as too long; from now on it sees far less. */
  shorten(): void;
}

/** Minimum length of the model's context, in characters. */
const leastCharacters = 1_000;

export function createShownContext(options: ShownContextOptions): ShownContext {
  let cut: ChatCut | null = null;
  let { mostCharacters } = options;
  let lastSize = 0;

  const view = (of: View, words?: llm.ChatMessage): llm.ChatContext =>
    chatView(options.items(), of, cut, options, words);
  const said = (context: llm.ChatContext): llm.ChatItem[] => context.items.filter((item) => !isPrompt(item));
  /** Hides the oldest turns at once, and requests a summary to replace them. */
  const hideOldest = (context: llm.ChatContext): void => {
    const shown = said(context);
    const first = firstToKeep(shown, mostCharacters);
    const all = options.items();
    const place = all.findIndex(({ id }) => id === first);
    // Words that are not in the history yet come after all of it.
    const afterItem = (place < 0 ? all.at(-1) : all[place - 1])?.id ?? null;
    if (first === null || afterItem === null) return;
    const oldest = shown.slice(
      0,
      shown.findIndex(({ id }) => id === first),
    );
    const made: ChatCut = { afterItem, summary: cut?.summary ?? leftOut };
    const before = cut?.summary ?? null;
    cut = made;
    void options.summarise(summaryPrompt, new llm.ChatContext([...summaryItem(before), ...oldest])).then((summary) => {
      if (cut === made && summary !== null) cut = { afterItem, summary };
    });
  };

  return {
    under(of, words) {
      let context = view(of, words);
      if (sizeOf(said(context)) > mostCharacters) {
        hideOldest(context);
        context = view(of, words);
      }
      const size = sizeOf(said(context));
      lastSize = Math.min(size, mostCharacters);
      if (size <= mostCharacters) return context;
      const whole = said(context);
      const cutTexts = shortened(whole, mostCharacters);
      return new llm.ChatContext(context.items.map((item) => cutTexts[whole.indexOf(item)] ?? item));
    },
    async change(effect, of) {
      const strategy = strategyOf(effect.payload);
      const answered = withoutOpenWords(options.items().filter(isOfConversation));
      const afterItem = answered[hiddenBy(strategy, answered.length) - 1]?.id ?? null;
      if (!strategy.isSummarised) {
        cut = { afterItem, summary: null };
        return null;
      }
      const summary = await options.summarise(effect.payload.prompt, this.under(of));
      if (summary !== null) cut = { afterItem, summary };
      return summary;
    },
    shorten() {
      mostCharacters = Math.max(leastCharacters, Math.floor(Math.min(mostCharacters, lastSize) / 3));
    },
  };
}

/** The prompt for a summary of the oldest turns. */
const summaryPrompt =
  'Sum up in a few sentences what was said and done so far, with all names, numbers, dates and agreements.';

/** Replaces the oldest turns until there is a summary. */
const leftOut = 'its beginning is left out here.';

function summaryItem(summary: string | null): llm.ChatItem[] {
  if (summary === null || summary === leftOut) return [];
  return [llm.ChatMessage.create({ role: 'system', content: `What was said before: ${summary}` })];
}
