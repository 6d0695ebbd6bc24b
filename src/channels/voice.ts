import { voice } from '@livekit/agents';
import { z } from 'zod';
import { FlowError } from '../errors.ts';
import { assertOptions, has, optionShapes, type OptionShapes } from '../flow/option-faults.ts';
import type { Answer } from '../ports/channel.ts';
import { isRunning, type LiveSession, type StartOptions } from '../livekit/agent/live-session.ts';
import type { SpokenChannel } from '../livekit/agent/spoken-channel.ts';
import type { Reader } from '../ports/reader.ts';
import { chosenBy, namedIn } from '../kernel/dialogue/choice.ts';
import { heardOf as howHeard } from '../kernel/dialogue/heard.ts';
import { choiceQuestion, readChoice } from '../turn/words/read-choice.ts';

/** Start and end of a voice channel's session. */
export interface VoiceChannelOptions {
  /** Options that the session is started with if it does not run yet, such as its room. */
  readonly start?: StartOptions;
  /** `close` (default) closes the session when the run is over. */
  readonly onEnd?: 'close' | 'keep';
}

const shapes: OptionShapes<VoiceChannelOptions & { readonly session: LiveSession }> = {
  session: optionShapes.session,
  start: ['an object', has],
  onEnd: z.enum(['close', 'keep']),
};

/**
 * Creates a channel on a LiveKit session. A conversation runs on it. A task flow asks its questions aloud, one after the
 * other, and the caller's next turn is the answer; if the session does not run yet, the first question starts it with an
 * agent that only asks. Throws `config-invalid` for an invalid session or options; a question throws `caller-left`,
 * `no-answer` if it is withdrawn, or `no-channel` if the session has no voice.
 *
 * @example
 * await createFlowRun('intake.yaml').attach(createVoiceChannel(session)).run();
 */
export function createVoiceChannel(session: LiveSession, options: VoiceChannelOptions = {}): SpokenChannel {
  assertOptions({ ...options, session }, shapes, ['session']);
  const { start = {}, onEnd = 'close' } = options;
  const hearers = new Set<(text: string) => void>();
  const hear = (text: string): void => {
    for (const hearer of [...hearers]) hearer(text);
  };
  let last: Promise<unknown> = Promise.resolve();

  const askAloud = async (
    question: string,
    choices: readonly string[],
    signal: AbortSignal,
    reader: Reader,
  ): Promise<Answer> => {
    if (!isRunning(session)) await session.start({ ...start, agent: new AskingAgent(hear) });
    const asked = choiceQuestion(reader, question, choices);
    // A choice named too early does not count: the second time, the question is not interruptible.
    for (let isEarly = false; ; isEarly = true) {
      const { content, heard } = await answerTo(question, isEarly, signal);
      const put = howHeard(question, heard, () => namedIn(asked, question));
      const chosen = chosenBy(asked, readChoice(reader, asked, content), put);
      if (chosen === 'none') return { content };
      if (chosen !== 'early') return { content, ...chosen };
    }
  };
  /** Returns the answer, and what the caller heard of the question. */
  const answerTo = async (question: string, isProtected: boolean, signal: AbortSignal) => {
    let speech: voice.SpeechHandle | null = null;
    const content = await saidTo(signal, () => {
      speech = session.say(question, isProtected ? { allowInterruptions: false } : {});
    });
    return { content, heard: speech === null ? question : await heardOf(speech, question) };
  };
  const saidTo = (signal: AbortSignal, ask: () => void): Promise<string> =>
    new Promise((resolve, reject) => {
      const types = voice.AgentSessionEventTypes;
      const finish = (outcome: string | FlowError): void => {
        hearers.delete(finish);
        session.off(types.ConversationItemAdded, onItem);
        session.off(types.Close, onClose);
        signal.removeEventListener('abort', onAbort);
        if (typeof outcome === 'string') resolve(outcome);
        else reject(outcome);
      };
      // A running session reports the caller's words through its history.
      const onItem = ({ item }: voice.ConversationItemAddedEvent): void => {
        if (item.type === 'message' && item.role === 'user') finish(item.textContent ?? '');
      };
      const onClose = (): void =>
        finish(new FlowError('caller-left', 'the caller has left before the question was answered.'));
      const onAbort = (): void =>
        finish(new FlowError('no-answer', 'the question was taken back before it was answered.'));
      hearers.add(finish);
      session.on(types.ConversationItemAdded, onItem);
      session.on(types.Close, onClose);
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) {
        onAbort();
        return;
      }
      try {
        ask();
      } catch (cause) {
        finish(new FlowError('no-channel', 'the session has no voice that could ask. Name a tts.', { cause }));
      }
    });

  return {
    name: 'voice',
    session,
    startOptions: start,
    ask(question, choices, signal, reader) {
      const answer = last.then(() => askAloud(question, choices, signal, reader));
      last = answer.catch(() => undefined);
      return answer;
    },
    async onComplete() {
      if (onEnd === 'close') await session.close();
    },
  };
}

/** Returns what was heard of a line that may have been interrupted. */
async function heardOf(speech: voice.SpeechHandle, line: string): Promise<string> {
  await speech.waitForPlayout();
  if (!speech.interrupted) return line;
  return speech.chatItems.flatMap((item) => (item.type === 'message' ? [item.textContent ?? ''] : [])).join(' ');
}

/** Never speaks by itself: every turn of the caller is an answer. */
class AskingAgent extends voice.Agent {
  readonly #hear: (text: string) => void;

  constructor(hear: (text: string) => void) {
    super({ id: 'asking', instructions: '' });
    this.#hear = hear;
  }

  override onUserTurnCompleted(...[, message]: Parameters<voice.Agent['onUserTurnCompleted']>): Promise<void> {
    this.#hear(message.textContent ?? '');
    return Promise.reject(new voice.StopResponse());
  }
}
