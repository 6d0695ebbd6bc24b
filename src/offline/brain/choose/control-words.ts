import { enough } from './score-function.ts';
import type { Utterance } from '../read/utterance.ts';

/** Answers a greeting, or the question whether the line is open, with a greeting and the open question. */
export function answerToControl({ text, question, scores }: Utterance): string | null {
  if (scores.some((score) => score.byWords >= enough)) return null;
  const words = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\d' ]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const asksForNothing = GREETING.test(words) || ANYBODY.test(words);
  return asksForNothing ? ['Hello!', question].filter((line) => line !== '').join(' ') : null;
}

/** Checks whether words leave the choice to the agent and so answer no question: "I don't mind", "up to you". */
export function isIndifferent(text: string): boolean {
  return INDIFFERENT.test(
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\d' ]+/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

const INDIFFERENT =
  /^(?:(?:um|uh|oh|well|honestly|really|to be honest|i guess|i think) )*(?:(?:i|we) (?:really )?(?:don't|do not) (?:really )?(?:mind|care)|whatever|it (?:doesn't|does not) matter|doesn't matter|it's all the same|all the same to me|(?:it's )?up to you|(?:you|you can) (?:choose|decide|pick|tell me)|(?:i have |i've got )?no preference|i'm easy|i'm not fussed|whatever (?:you|works|suits)\b.*|any(?:thing|where| of them| one| time| day)?(?: (?:is|will|would) (?:do|fine|okay|ok|good|be fine))?)(?: (?:really|at all|to me|please|honestly|thanks|thank you))*$/;
const GREETING =
  /^(?:(?:oh|um|uh|well|yes) )*(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings)(?: there| you)?(?: (?:hi|hello))?$/;
const ANYBODY =
  /^(?:(?:oh|um|uh|well|hi|hello|hey|sorry) )*(?:(?:are )?you (?:still )?there|(?:is )?any(?:one|body) (?:still )?there|(?:can|do) you (?:still )?hear me)$/;
