import { voice } from '@livekit/agents';
import { z } from 'zod';
import { FlowError } from '../../model/errors.ts';
import { assertOptions, has, optionShapes, type OptionShapes } from '../../flow/document/problems/option-faults.ts';
import type { ChoiceQuestion } from '../../model/dialogue.ts';
import type { Answer } from '../../model/ports/channel.ts';
import { isRunning, type LiveSession, type StartOptions } from '../agent/live-session.ts';
import type { SpokenChannel } from '../agent/spoken-channel.ts';
import type { Reader } from '../../model/ports/reader.ts';
import { chosenBy, isAnswer, namedIn } from '../../kernel/dialogue/choice.ts';
import { heardOf as howHeard } from '../../kernel/dialogue/question-line.ts';
import { lineInTurn } from '../../flow/expression/sentences.ts';
import { actOf } from '../../kernel/dialogue/utterance.ts';
import { defaultAttempts, putsPerAttempt } from '../../kernel/question/ladder-rule.ts';
import { defaultNoInputMs, patienceMs } from '../../kernel/question/silence.ts';
import { wordsFor } from '../../kernel/wait/task-question.ts';
import { createNoInput } from '../speech/no-input.ts';
import { systemClock } from '../../system.ts';
import { choiceQuestion, readChoice } from '../../engine/words/read-choice.ts';

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
  let clock = systemClock;
  /** Called if the caller stays silent; null while no question is open. */
  let onSilence: (() => void) | null = null;
  /** The caller has asked for time. */
  let isPatient = false;

  const askAloud = async (asked: ChoiceQuestion, signal: AbortSignal, reader: Reader): Promise<Answer> => {
    if (!isRunning(session)) await session.start({ ...start, agent: new AskingAgent(hear) });
    const noInput = createNoInput({
      clock,
      noInputMs: () => (onSilence === null ? null : isPatient ? patienceMs : defaultNoInputMs),
      isPatient: () => isPatient,
      onSilence: () => onSilence?.(),
    });
    noInput.attach(session);
    try {
      return await climb(asked, signal, reader);
    } finally {
      noInput.detach();
    }
  };
  /** Puts a question until it is answered, as often as a conversation would. */
  const climb = async (asked: ChoiceQuestion, signal: AbortSignal, reader: Reader): Promise<Answer> => {
    const spoken = speechIn(reader);
    let line = asked.question;
    let heard = '';
    let isProtected = false;
    for (let misses = 0, puts = 1; puts <= putsPerAttempt * defaultAttempts; puts += 1) {
      const aside = isPatient ? lineInTurn(spoken.lines.takeYourTime, puts) : null;
      const { content, ...played } = await answerTo(aside ?? line, isProtected, signal);
      if (aside === null) ({ heard } = played);
      const utterance = content === null ? undefined : readChoice(reader, asked, content);
      const request = actOf(utterance, 'request');
      isPatient = request?.of === 'time';
      const put = howHeard(line, heard, () => namedIn(asked, line));
      const chosen = chosenBy(asked, utterance, put);
      if (content !== null && typeof chosen === 'object') return { content, ...chosen };
      if (request !== undefined) continue;
      // A choice that was named too early does not count: the question is repeated without interruption.
      isProtected = chosen === 'early';
      if (isProtected) continue;
      if (content !== null && isAnswer(asked, chosen, utterance)) return { content };
      misses += 1;
      if (misses >= defaultAttempts) break;
      line = wordsFor(spoken, asked, misses, content === null ? 'no-input' : 'no-match');
    }
    throw new FlowError(
      'unanswered',
      'the caller gave no answer, though the question was put several times. Put it so that its choices are plain.',
    );
  };
  /** Returns the answer, and what the caller heard of the question. */
  const answerTo = async (line: string, isProtected: boolean, signal: AbortSignal) => {
    let speech: voice.SpeechHandle | null = null;
    const content = await saidTo(signal, () => {
      speech = session.say(line, isProtected ? { allowInterruptions: false } : {});
    });
    return { content, heard: speech === null ? line : await heardOf(speech, line) };
  };
  const saidTo = (signal: AbortSignal, ask: () => void): Promise<string | null> =>
    new Promise((resolve, reject) => {
      const types = voice.AgentSessionEventTypes;
      const finish = (outcome: string | null | FlowError): void => {
        onSilence = null;
        hearers.delete(finish);
        session.off(types.ConversationItemAdded, onItem);
        session.off(types.Close, onClose);
        signal.removeEventListener('abort', onAbort);
        if (outcome instanceof FlowError) reject(outcome);
        else resolve(outcome);
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
      onSilence = () => finish(null);
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
    onStart(run) {
      ({ clock } = run);
      return Promise.resolve();
    },
    ask(question, choices, signal, reader, takesText = choices.length === 0) {
      const asked = choiceQuestion(reader, { question, choices, takesText });
      const answer = last.then(() => askAloud(asked, signal, reader));
      last = answer.catch(() => undefined);
      return answer;
    },
    async onComplete() {
      if (onEnd === 'close') await session.close();
    },
  };
}

/** The lines of the language. Without lines, the question itself is said. */
function speechIn(reader: Reader) {
  const plain: readonly [string] = ['{question} {choices}'];
  const { lines } = reader;
  return { ...reader, lines: lines ?? { youCanSay: plain, stillThere: plain, takeYourTime: plain } };
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
