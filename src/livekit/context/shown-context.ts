import { llm } from '@livekit/agents';
import { hiddenBy, strategyOf } from '../../flow/context/context-strategies.ts';
import type { View } from '../../kernel/view.ts';
import type { CallOutput } from '../../turn/calls/call-output.ts';
import type { EffectOf } from '../../turn/engine/perform.ts';
import { type ChatCut, chatView, isPrompt } from './chat-view.ts';
import { firstToKeep, isOfConversation, shortened, sizeOf, withoutOpenWords } from './context-budget.ts';

export interface ShownContextOptions {
  /** The whole history, shown or hidden. */
  items(): readonly llm.ChatItem[];
  outputOf(callId: string): CallOutput | undefined;
  /** A message without what is no part of the conversation; null where that is all of it. */
  withoutAsides(message: llm.ChatMessage): llm.ChatMessage | null;
  /** How many characters of the conversation are shown at most, besides the prompt. */
  readonly mostCharacters: number;
  /** A summary of a conversation, by a prompt; null where none could be had. */
  summarise(prompt: string, context: llm.ChatContext): Promise<string | null>;
}

/** The conversation as the model is shown it. */
export interface ShownContext {
  /**
   * The conversation under a view. Where it has become too long its oldest turns are hidden from then on, and their
   * summary stands for them once there is one. `said` is what the caller says that is no part of the history yet.
   */
  under(view: View, said?: llm.ChatMessage): llm.ChatContext;
  /** Hides what was said so far, or puts a summary in its place: that is returned, and null where there is none. */
  change(effect: EffectOf<'context'>, view: View): Promise<string | null>;
  /** The model cannot read as much as it was shown last: from now on it is shown far less. */
  shorten(): void;
}

/** The model is never shown less than this, in characters. */
const leastCharacters = 1_000;

export function createShownContext(options: ShownContextOptions): ShownContext {
  let cut: ChatCut | null = null;
  let { mostCharacters } = options;
  let lastSize = 0;

  const view = (of: View, words?: llm.ChatMessage): llm.ChatContext =>
    chatView(options.items(), of, cut, options, words);
  const said = (context: llm.ChatContext): llm.ChatItem[] => context.items.filter((item) => !isPrompt(item));
  /** Hides the oldest turns at once, and asks for what is to stand in their place. */
  const hideOldest = (context: llm.ChatContext): void => {
    const shown = said(context);
    const first = firstToKeep(shown, mostCharacters);
    const all = options.items();
    const place = all.findIndex(({ id }) => id === first);
    // Words that are no part of the history yet come after all of it.
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

/** Stands for the oldest turns until there is a summary of them. */
const leftOut = 'its beginning is left out here.';

function summaryItem(summary: string | null): llm.ChatItem[] {
  if (summary === null || summary === leftOut) return [];
  return [llm.ChatMessage.create({ role: 'system', content: `What was said before: ${summary}` })];
}
