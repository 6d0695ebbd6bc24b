import type { RouteRule, RulesRouter } from '../../../src/engine/policy/router.ts';
import type { Utterance } from './utterances.ts';

/**
 * Rules of a clinic's telephone, written with shown.tsv alone in view and unchanged since held-out.tsv was measured.
 * Words that identify a flow are patterns. If patterns of several flows match, or none, the shown utterances decide.
 */
const patterns: Readonly<Record<string, readonly string[]>> = {
  appointment: [
    `\\b(?:make|book|schedule|set up|get|arrange|need|want|like) (?:me |us |an? |another |my |his |her )*(?:new |first |quick |follow-?up )?(?:appointment|visit|check-?up|physical|consultation|slot)\\b`,
    `\\b(?:new patient|new here|register|sign up|first visit|come in|drop by|fit (?:me|us|him|her) in|squeeze (?:me|us|him|her) in)\\b`,
    `\\b(?:see (?:a|an|the|someone|somebody|one of)|be seen|looked at|have a look|take a look|examined?|book (?:me|us|him|her))\\b`,
    `\\b(?:check-?up|physical|flu shot|vaccin\\w*|jabs?|booster|earliest|soonest|next available|availability|available|anything free|any openings?|free slots?)\\b`,
    `\\b(?:fever|cough\\w*|hurts?|hurting|sore|rash|aches?|headaches?|swollen|pains?|sprained|twisted|dizzy|itch\\w*)\\b`,
  ],
  reschedule: [
    `\\b(?:reschedul\\w*|re-schedul\\w*|postpon\\w*|cancel\\w*|call off|calling off|double[- ]?booked|by mistake)\\b`,
    `\\b(?:move|shift|swap|push|change|delay|switch|bring forward) (?:it|that|this|my|the|our|his|her)\\b`,
    `\\b(?:can['’]?t|cannot|won['’]?t|not able to|unable to|won['’]?t be able to|not going to|will not) (?:make|come|attend|be there|be able to (?:come|make))\\b`,
    `\\b(?:another|different|other|later|rather) (?:time|day|date|slot|hour|week|come)\\b`,
    `\\b(?:miss my|running late|something came up|earlier one|later one)\\b`,
  ],
  prescription: [
    `\\b(?:prescri\\w+|refill\\w*|medications?|medicines?|meds|tablets?|pills?|inhalers?|insulin|antibiotics?|pharmac\\w+|chemists?|dose|doses|dosage|my script|painkillers?|ointment|eye drops|antidepressants?)\\b`,
    `\\b(?:run|running|ran|nearly|almost) (?:out|low)\\b`,
  ],
  billing: [
    `\\b(?:bills?|billed|billing|invoices?|charged?|charges|pay|paid|paying|payments?|owe|owed|owing|insurance|insurer|co-?pays?|receipts?|refund\\w*|fees?|costs?|price|prices|deductible|instal+ments?|statement|deposit|balance|claims?|covered|coverage|dollars?)\\b`,
    `\\b(?:my plan|credit card)\\b`,
  ],
  results: [
    `\\b(?:results?|the lab|labs|laborator\\w+|x-?rays?|biops\\w+|my scan|scans?|mri|ultrasound|patholog\\w+|blood (?:test|tests|work|count|taken|drawn)|samples?|cholesterol|swab|smear|the report|my tests?)\\b`,
  ],
  directions: [
    `\\b(?:where are you|where is (?:the|your)|located|location|address|directions?|parking|park|bus|buses|train|tram|subway|metro|station|wheelchair|elevator|lift|ramp|which door|entrance|what floor|which floor|how do i get|get to you|find you|i['’]?m lost|garage)\\b`,
    `\\b(?:are you open|are you closed|do you (?:open|close|shut)|you open|open (?:on|over|at|until|till|today|tomorrow|late)|opening (?:hours|times)|(?:your|office|business) hours|lunch break|how late|what hours|closed on|reception open)\\b`,
  ],
  complaint: [
    `\\b(?:complain\\w*|grievance|rude\\w*|manager|supervisor|in charge|unacceptable|disgrace\\w*|disgusting|filthy|dirty|unhappy|dissatisfied|disappointed|angry|furious|fed up|appalling|unprofessional|outrageous|ridiculous|apology|shouted|yelled|ignored|lawyer|private information|privacy)\\b`,
    `\\b(?:terrible|awful|horrible|bad|poor|worst) (?:service|review|experience|attitude|treatment)\\b`,
    `\\bwait(?:ed|ing)? (?:for )?(?:over |more than |almost )?(?:an|two|three|four|\\d+|half an) hours?\\b`,
    `\\b(?:nobody|no one|noone|never) (?:ever )?(?:calls?|called|told|tells|answers?|answered|listens?|picks?|apologi[sz]ed)\\b`,
    `\\b(?:didn['’]?t listen|was treated|were treated|you people|left alone)\\b`,
  ],
  classic: [
    `^(?:hello|hi|hey|good (?:morning|afternoon|evening)|hello hello)[\\s,.!?]*(?:there|again)?[\\s,.!?]*$`,
    `\\b(?:are you (?:a |an )?(?:robot|machine|human|real|computer|person|bot)|who (?:am i|are you|is this)|wrong number|hear me|still there|a joke|weather|do you speak|being recorded|your name|never ?mind|how are you|what can you|what do you do|sing)\\b`,
    `\\b(?:that['’]?s (?:all|it|everything)|good ?bye|bye|just a (?:second|sec|moment|minute)|hold on|one moment|hang on|let me think)\\b`,
    `^(?:no,? |ok(?:ay)?,? |great,? )*thank(?:s| you)\\b`,
  ],
};

/** The rules, with utterances as their examples. */
export function clinicRules(utterances: readonly Utterance[]): RulesRouter {
  const rules: Record<string, RouteRule> = {};
  for (const [flow, sources] of Object.entries(patterns)) {
    const examples = utterances.filter((one) => one.flow === flow).map(({ text }) => text);
    rules[flow] = { patterns: sources, examples };
  }
  return { mode: 'rules', rules };
}
