import { enough } from './score-function.ts';
import type { Utterance } from './utterance.ts';

/** Words that ask for nothing but patience, or for the last words again. */
export function answerToControl({ text, agentText, question, scores }: Utterance): string | null {
  if (scores.some((score) => score.byWords >= enough)) return null;
  const words = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\d' ]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (AGAIN.test(words) && agentText !== '') return agentText;
  if (GREETING.test(words)) return ['Hello!', question].filter((line) => line !== '').join(' ');
  return PATIENCE.test(words) ? 'Of course, take your time.' : null;
}

/** Whether words leave a choice to others, and thus answer no question: "I don't mind", "up to you". */
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
const AGAIN =
  /^(?:(?:i'm|i am|um|uh|oh|excuse me|no) )*(?:sorry|pardon|pardon me|what|huh|excuse me|come again|(?:sorry )?(?:what|pardon)(?: was that| did you say)?|(?:sorry )?(?:can|could|would) you (?:please )?(?:repeat|say)(?: that| it| the question)?(?: again)?(?: please)?|(?:please )?(?:repeat|say)(?: that| it)?(?: again)?(?: please)?|(?:sorry )?i (?:didn't|did not|couldn't) (?:hear|catch|get|understand)(?: that| you| it| what you said)?|say again|one more time|once more)(?: please)?$/;
const GREETING =
  /^(?:(?:oh|um|uh|well|yes) )*(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings)(?: there| you)?(?: (?:hi|hello))?$/;
const PATIENCE =
  /^(?:(?:um|uh|ok|okay|well|yes|please|just|can you|could you) )*(?:hold on|hang on|wait|one (?:moment|second|sec|minute)|just a (?:moment|second|sec|minute)|(?:give me|wait) (?:a|one) (?:moment|second|sec|minute)|let me (?:see|check|think|look)|bear with me)(?: please| a (?:moment|second|sec|minute)| for a (?:moment|second|minute)| let me (?:see|check|think|look|get it))*$/;
