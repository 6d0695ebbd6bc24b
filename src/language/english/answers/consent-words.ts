import { phraseTable, wordSet } from '../words.ts';

/** Whole phrases that agree. */
export const YES = phraseTable(`
  yes, yeah, yep, yup, ya, yea, aye, y, sure, sure thing, for sure, ok, okay, alright, all right, right, correct, true, exactly,
  precisely, absolutely, definitely, certainly, indeed, of course, affirmative, agreed, i agree, confirmed, i confirm, i accept,
  perfect, fine, great, wonderful, excellent, by all means, you bet, you got it, that's right, that is right, that's correct,
  that is correct, that's true, that is true, it's correct, it is correct, it's right, it is right, you're right, you are right,
  you are correct, you're correct, that's exactly right, that is exactly right, all correct, that's all correct, all good,
  that's absolutely right, that's perfect, that's fine, that is fine, that's great, that works, that works for me, works for me,
  fine by me, fine with me, sounds good, sounds great, sounds fine, sounds perfect, sounds right, sounds lovely, that sounds good,
  that sounds great, that sounds right, that sounds perfect, that sounds fine, sounds good to me, go ahead, go for it, please do,
  please go ahead, you can go ahead, let's go ahead, do it, do that, let's do it, let's do that, let's go, it's a yes, that's a yes,
  i said yes, go on then, looks good, looks right, that looks right, that looks good, spot on, that'd be great, that would be great,
  that'd be good, that would be good, that'd be perfect, that would be perfect, that'd be lovely, that would be lovely, i'd like that,
  i would like that, i'd love that, i would love that, i'm happy with that, i am happy with that, happy with that, i'm fine with that,
  i'm okay with that, i'm good with that, very well, that will do, that'll do, no problem, no worries, not a problem, why not, mhm,
  yes it is, yes i do, that's the one, that's it, that's me, proceed, please proceed, that's affirmative, i'll take it, i will take it,
  we'll take it, i'll take that, i'll have that, that suits me, that'll work, that will work, works, gladly, with pleasure`);
/** Whole phrases that refuse. */
export const NO = phraseTable(`
  no, nope, nah, n, no no, no way, never, negative, false, wrong, incorrect, not correct, not right, that's wrong, that is wrong,
  that's not right, that is not right, that isn't right, that's not correct, that is not correct, that isn't correct,
  that's incorrect, that is incorrect, it's wrong, it is wrong, it's not right, it isn't right, it's not correct, it isn't correct,
  it isn't, it's not, you're wrong, not true, that's not true, absolutely not, definitely not, certainly not, of course not,
  not at all, not really, no need, no good, please don't, please do not, don't, do not, don't do it, don't do that, i don't,
  i do not, i don't think so, i do not think so, i think not, don't think so, i'd rather not, i would rather not, rather not,
  better not, i won't, it's a no, that's a no, i said no, no thanks, no thank you, we don't, we do not, i don't want that,
  i don't want it, i don't want to, i do not want that, i do not want it, i do not want to, cancel, cancel it, cancel that,
  stop, stop it, leave it, forget it, forget about it, forget that, never mind, nevermind, not for me, not today,
  i changed my mind, i've changed my mind, i have changed my mind, i've decided against it, i won't be needing that, i don't need it,
  i don't need that, that's not what i said, that's not what i meant, i'm not, i am not, no it isn't, no it's not, no i'm not,
  no i am not, no it doesn't, no i can't, no i won't, no i haven't, no i have not, no we are not, no we aren't, no i did not,
  no i didn't, let's not, let's leave it, i'd rather leave it, skip it, skip that, drop it, drop that, let's drop it,
  scratch that, don't bother, not anymore, not any more, i don't want it anymore, i don't want it any more, that's not necessary,
  it's not necessary, not necessary, i'll pass, i won't be needing it, on second thought no, on second thoughts no, not interested, i'm not interested, i am not interested`);
/** Neutral phrases, which change neither a yes nor a no. */
export const FILLING = phraseTable(`
  please, thanks, thank you, thank you very much, thank you so much, thanks a lot, many thanks, very much, oh, well, so, then, like,
  you know, sir, ma'am, ma am, mam, madam, miss, dear, man, mate, it is, it does, i do, i am, i would, i will, i have, we do, we are,
  we will, we would, we have, you can, you may, i'm sure, i am sure, that's all, that is all, that's everything, nothing else, i can,
  we can, really, just, a lot, to me, for me, it, that, and, i'd, actually, by the way, lovely, good, do, quite, all, both of us, it's okay, it's ok, it is okay`);
/** With one of these, the proposal is neither accepted as it is nor refused. */
export const CONDITIONS = phraseTable(`
  but, if, unless, only, except, maybe, perhaps, depends, it depends, wait, hold on, hang on, not yet, not sure, i'm not sure,
  i am not sure, not certain, not now, later, after, before, until, or, instead, rather, though, although, sorry, provided,
  as long as, i guess, i think, i suppose, i believe, probably, most likely, presumably, whatever, let me, change, make it, make that, yes and no, other than, i don't know, i do not know, don't know, no idea,
  i have a question, i don't understand, i do not understand, i don't remember, i can't remember, i didn't hear, i didn't catch,
  i didn't get, i don't care, i do not care, no rush, i mean, first, have to ask, need to ask, have to check, need to check, let me ask, no one, no more, more, less, another, other, different, earlier, without, also,
  as well`);
/** A sentence that ends in one of these was cut off. */
export const UNFINISHED: ReadonlySet<string> = new Set(['so', 'and', 'well', 'like', 'oh']);
/** People also say these of `YES` only to show that they listen. */
export const WEAK = phraseTable(`
  ok, okay, alright, all right, right, fine, great, good, mhm, very well`);
/** The phrases of `NO` that keep something if words follow them in their clause: "leave it at nine". */
export const LEAVING = phraseTable(`leave it, let's leave it, i'd rather leave it, never mind, nevermind`);
/** Beginnings of `NO` that a sentence may also continue without a refusal: "I don't eat meat". */
export const PARTIAL_NO = phraseTable(`
  don't, do not, never, i don't, i do not, i won't, we don't, we do not, i'm not, i am not, it isn't, it's not, n, false, negative`);
/** Refuse wherever they stand in a sentence. */
export const REFUSING = phraseTable(`
  i don't want, i do not want, we don't want, we do not want, don't want, i don't like, i do not like, i don't need, i do not need,
  i don't agree, i do not agree, can't agree, cannot agree, i refuse, i decline, i wouldn't, i would not, i can't do, i cannot do,
  can't make, cannot make, can't come, cannot come, can't afford, cannot afford, doesn't work, does not work, won't work, will not work,
  doesn't suit, does not suit, won't do, will not do, isn't for me, is not for me, i'd prefer not, i would prefer not, i'm not going to,
  i am not going to, we're not going to, i'm not paying, i'm not ready, i am not ready`);
/** Stand before the question's own verb and affirm it. */
export const LEADING = phraseTable(`
  i want to, i do want to, i would like to, i'd like to, i'd like you to, i would like you to, i want you to, you should, we should,
  let's, let us, i need to, i need you to, i wish to, i said, just, you can, you may, i will, we will, i'll`);
/** Begin a question, where no words of substance stand before them in the clause. */
export const ASKING = phraseTable(`
  when, what, what's, whats, how, how's, why, who, who's, which, where, where's, whose,
  ${auxiliaryQuestions()}`);

/** "is it", "can you", "does the": an auxiliary with what can be its subject. */
function auxiliaryQuestions(): string {
  const auxiliaries =
    "is are was were am do does did can could would will shall should has have had isn't aren't don't doesn't won't can't couldn't wouldn't shouldn't haven't hasn't didn't".split(
      ' ',
    );
  const subjects = 'i you he she we they there it that this these those my your our the a an'.split(' ');
  const imperatives = new Set([
    'do it',
    'do that',
    'do this',
    'do these',
    'do those',
    'do the',
    'do a',
    'do an',
    'do my',
    'do our',
    'have a',
    'have the',
    'have an',
    "don't a",
  ]);
  const pairs = auxiliaries.flatMap((auxiliary) => subjects.map((subject) => `${auxiliary} ${subject}`));
  return pairs
    .filter((pair) => !imperatives.has(pair))
    .concat('may i', 'may we')
    .join(', ');
}
/** Words that turn into an agreement under a negation: "no objection", "not bad". */
export const OBJECTIONS = wordSet(`
  objection objections problem problems issue issues against bad wrong doubt doubts complaint complaints matter worries trouble harm
  idea clue preference rush hurry`);
/** A preposition with a word that points at the proposal: "at that price". */
export const CIRCUMSTANCE =
  /^(?:at|for|on|in|with|under|like|by|to) (?:that|this|these|those|such(?: an?)?)\b(?! (?:is|was|i|you|we|they)\b)|^(?:that|this) way\b/;
