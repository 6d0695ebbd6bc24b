import { phraseTable, wordSet } from '../../../language/english/words.ts';

/**
 * General English: words and phrases with nearly the same meaning for a caller and the author of a description. One
 * concept per line, phrases separated by commas. Nothing here is specific to a flow.
 */
const CONCEPTS: Readonly<Record<string, string>> = {
  human: `human, human being, agent, live agent, representative, rep, operator, real person, live person, a person, another person, a people person,
    to someone, with someone, to somebody, with somebody, someone real, staff, manager, supervisor, receptionist, colleague, employee,
    advisor, adviser, customer service, front desk, reception, actual person, staff member, team member, put me through, connect me, transfer me`,
  end: `goodbye, good bye, bye, bye bye, hang up, end the call, end call, end this call, end the conversation, end conversation,
    end the chat, that's all, that is all, i'm done, i am done, we're done,
    that's everything, that is everything, that will be all, that would be all, nothing else, have a nice day, have a good day, talk to you later, see you`,
  finished: `that's all, that is all, that's everything, that is everything, that will be all, that would be all, that'd be all, that's it, nothing else, nothing more, no more,
    i'm done, i am done, i'm finished, i am finished, is done, is finished, has finished, finished, no further questions, no other questions,
    no more questions, nothing further, completed`,
  repeat: `repeat, say that again, say it again, say again, come again, pardon, didn't hear, did not hear, didn't catch, did not catch,
    what was that, once more, hear it again, hear that again`,
  stop: `stop, quit, abort, give up, forget it, forget about it`,
  start: `start, begin, first day, get started, arrive, arrival, arriving, check in, check-in, checkin, checking in, from, pick up date, pick-up date`,
  finish: `end, last day, until, till, return, back, leave, departure, depart, check out, check-out, checkout, checking out`,
  resume: `go on, continue, proceed, carry on, go ahead, move on, keep going`,
  cancel: `cancel, cancellation, call off, calling off, terminate, scrap, get rid of`,
  change: `change, modify, modification, update, edit, amend, amendment, alter, adjust, switch, swap, exchange, trade, different, make it, instead`,
  move: `move, reschedule, postpone, push back, put off, bring forward, shift, rebook`,
  correct: `correct, correction, fix, wrong, incorrect, mistake, misspelled, misheard`,
  other: `another, other, different, else, instead, alternative`,
  hours: `opening hours, opening times, opening time, business hours, office hours, working hours, hours of operation, closing time, what hours,
    open on, open at, open today, open tomorrow, open until, open till, open late, open now, still open, you open, you close, you shut, are closed, is closed, be closed, be open, is open, are open, hours`,
  price: `price, prices, cheap, cheaper, discount, discounts, pricing, cost, costs, fee, fees, rate, rates, charge for, do you charge, you charge, how much, expensive, quote, tariff`,
  location: `where are you, where is it, where do i find, address, location, located, directions, how to get, how do i get to, how can i get to, find you, get there,
    get to you, situated, which street`,
  parking: `park, parking, car park, parking lot, garage`,
  pay: `pay, paying, payment, pay for, settle`,
  money: `amount, dollar, dollars, euro, euros, pound, pounds, bucks, usd, eur, sum, money, cash`,
  bill: `bill, bills, billing, invoice, invoices, charged, charge, charges, overcharged, statement`,
  help: `help, assist, assistance, support`,
  complain: `complain, complaint, complaining, unhappy, dissatisfied, angry, upset, furious, terrible, unacceptable, fed up, disappointed, ridiculous`,
  missing: `lost, lose, losing, missing, misplaced, can't find, cannot find, could not find, couldn't find, never arrived, hasn't arrived, has not arrived,
    didn't arrive, did not arrive, haven't received, have not received, never received, didn't receive, not received, disappeared, never came,
    hasn't come, has not come, not arrived, didn't get, never got, haven't got`,
  stolen: `stolen, steal, stole, theft, thief, robbed, mugged, pickpocketed`,
  broken: `broken, broke, damaged, damage, defective, faulty, cracked, smashed, not working, isn't working, is not working, doesn't work, does not work,
    stopped working, won't work, won't start, broke down, breakdown, broken down, out of order, malfunction, malfunctioning, doesn't turn on,
    won't turn on, not starting, doesn't start, does not start`,
  late: `late, delay, delayed, overdue, running late, behind schedule, held up`,
  urgent: `urgent, urgently, emergency, immediately, right away, as soon as possible, asap, at once, straight away`,
  earliest: `earliest, soonest, first available, as soon as possible, asap, next available, as early as possible, right away, whenever, any day, any time`,
  refund: `refund, refunded, money back, reimburse, reimbursement, reimbursed, give me my money`,
  sendback: `return, send back, send it back, bring back, bring it back, give back, take it back`,
  buy: `buy, purchase, order, ordering, get one, get some`,
  reserve: `book, booking, reserve, reservation, make an appointment, make a reservation, schedule, appointment, set up a`,
  delivery: `deliver, delivery, delivered, ship, shipping, shipment, shipped, courier, driver`,
  parcel: `parcel, package, packet, shipment, box`,
  pickup: `pick up, pick it up, picking up, pickup, collect, collection, takeaway, take away, takeout, take out, carryout`,
  existing: `i booked, we booked, i reserved, we reserved, i made a, we made a, there should be a, there should be an, should already be,
    i have a, i have an, we have a, we have an, i've got a, i've got an, have got a, has a, has an, have already, i already have, existing, already, current, previous, earlier`,
  fresh: `new, first time`,
  birth: `birth, born, birthday, birthdate, birth date, date of birth, dob`,
  paper: `paper, papers, paperwork, document, documents, documentation, form, forms`,
  available: `available, availability, an opening, any opening, any openings, openings, free, vacancy, vacancies, in stock, have any left`,
  track: `track, tracking, status, where is my, where's my, where is the, how far along, eta, whereabouts`,
  block: `block, blocked, blocking, freeze, frozen, lock, locked, disable, deactivate, suspend, suspended, pause, on hold`,
  ill: `ill, sick, sickness, illness, unwell, fever, flu, not feeling well, under the weather, threw up, vomiting`,
  absent: `absent, absence, not coming, isn't coming, is not coming, aren't coming, are not coming, doesn't come, does not come, won't be coming, will not be coming, won't be in, will not be in, miss school, stay home, staying home,
    not be able to come, not attend, can't attend, cannot attend, can't come, cannot come, can't make it, cannot make it`,
  child: `child, children, kid, kids, son, daughter, boy, girl, toddler, baby`,
  grownup: `adult, adults, grown-up, grown-ups, grownups`,
  vehicle: `car, vehicle, auto, automobile, van, truck`,
  taxi: `taxi, cab, ride, pick me up`,
  pet: `pet, animal, dog, cat, puppy, kitten`,
  accident: `accident, crash, crashed, collision, collided, bumped into, hit by`,
  extend: `extend, extension, renew, renewal, prolong, keep it longer, more time`,
  join: `join, sign up, signing up, register, registration, enroll, enrol, enrolment, enrollment, become a member, subscribe, subscription`,
  wait: `wait, hold, hang on, one moment, one second`,
  pain: `pain, hurt, hurts, hurting, ache, aches, aching, sore, painful`,
  breath: `breathe, breathing, breath, choking, suffocating`,
  bleed: `bleed, bleeding, blood`,
  fire: `fire, burning, smoke, flames`,
  unconscious: `unconscious, fainted, fainting, faint, passed out, collapsed, not responding`,
  suicide: `suicide, suicidal, kill myself, end my life, hurt myself, harm myself, want to die`,
  unknown: `don't know, do not know, doesn't know, does not know, no idea, not sure, unsure, don't remember, do not remember, can't remember, cannot remember,
    can't recall, don't recall, forgot, forgotten, have forgotten, haven't a clue, no clue, can't say, cannot say, couldn't tell you,
    can't tell, don't have it with me, not certain, hard to say, cannot remember, does not remember, doesn't remember`,
  callback: `call back, call me back, called back, callback, call me later, ring me back, call again, call later, phone me back, return my call`,
  later: `later, think about it, think it over, sleep on it, think about that, another time, some other time, not now, no time, busy, in a hurry, in a rush, not a good time, bad time`,
  allowed: `allow, allowed, permit, permitted, may i bring, can i bring, could i bring, can we bring`,
  message: `message, voicemail, leave a note, note`,
  more: `more, additional, add, extra, also`,
  less: `fewer, less, remove, take off, leave out, without`,
  same: `same, keep, as it is, stay as it is, unchanged, leave it, keep it, stick with, like before, the usual`,
  vegetarian: `vegetarian, vegan, plant based, no meat, meat free`,
  allergy: `allergy, allergies, allergic, intolerance, intolerant, gluten`,
  people: `people, person, persons, guests, guest, of us, pax, passengers, passenger, player, players, heads, attendees, participants, covers, party`,
  night: `night, nights`,
  thanks: `thanks, thank you`,
  house: `house, home, flat, apartment, property`,
  upstairs: `upgrade, better plan, premium, bigger plan`,
  password: `password, passcode, pin, login, log in, sign in, locked out`,
  speak: `speak, talk, word with`,
  leave: `terminate, end, quit, give notice, resign, opt out`,
  television: `television, tv, telly`,
  connection: `connection, internet, broadband, wifi, wi-fi`,
  today: `today, tonight, this evening, this afternoon, this morning`,
  severe: `severe, severely, serious, seriously, life threatening, dangerous, deadly, anaphylaxis, anaphylactic, epipen`,
  recorded: `record, recorded, recording`,
  danger: `danger, dangerous, dying, life in danger, 911, 999, 112, ambulance`,
};

/** Words without meaning for the topic: grammar, courtesy and verbs of speech. */
export const STOP_WORDS = wordSet(`
  a an the this that these those it its it's i i'm i'd i'll i've me my mine we we're we'd our us you you're your he she his her him they their them
  is am are was were be been being do does did done have has had having will would can could shall should may might must 'd 'll
  to of for in on at by with about as into onto over per via and or but if then so because than too very just only also really quite
  want wants wanted wish wishes need needs like likes ask asks asking asked say says saying said tell tells telling told give gives giving
  get gets getting got let lets make makes making go goes going take takes taking please hi hello hey okay ok oh well um uh yes yeah no
  hiya ringing phoning not there here what which who whom how when where why whether caller callers user users customer customers client patient guest's someone
  something anything thing things one ones call calls calling called use used using function tool trigger triggered invoke kind sort know
  now any some all use up out off down again own provide provides providing mention mentions mentioned express expresses indicate indicates
  request requests requested finds report reports reported reporting question questions inquiry enquiry regarding concerning see sees whose wants' their's that's there's i'd what's let's don't doesn't didn't won't isn't aren't wasn't can't cannot
  couldn't wouldn't shouldn't hasn't haven't hadn't mind think guess feel try trying day's time's happen happens would've able good great
  nice thank thanks welcome sorry excuse sure fine right actually maybe perhaps bit little much many lot hear heard look looking looks`);

interface ConceptTables {
  readonly phrases: ReturnType<typeof phraseTable>;
  /** The concepts of a phrase, by its words joined with spaces. */
  readonly byPhrase: ReadonlyMap<string, readonly string[]>;
  /** The concepts of a single word, by its stem. */
  readonly byStem: ReadonlyMap<string, readonly string[]>;
}

let tables: ConceptTables | undefined;

/** Returns the table of phrases and the concepts of phrases and words. */
export function conceptTables(): ConceptTables {
  return (tables ??= buildTables());
}

function buildTables(): ConceptTables {
  const byPhrase = new Map<string, string[]>();
  const byStem = new Map<string, string[]>();
  for (const [concept, list] of Object.entries(CONCEPTS)) {
    for (const entry of list.split(',')) {
      const phrase = entry.trim().split(/\s+/).join(' ');
      const isPhrase = /[ -]/.test(phrase);
      const key = isPhrase ? phrase.replaceAll('-', ' ') : stemOf(phrase);
      const table = isPhrase ? byPhrase : byStem;
      const concepts = table.get(key) ?? [];
      if (!concepts.includes(concept)) table.set(key, [...concepts, concept]);
    }
  }
  return { phrases: phraseTable([...byPhrase.keys()].join(',')), byPhrase, byStem };
}

/**
 * Removes endings, so that "cancelled", "cancelling" and "cancellation" have the same stem, which need not be a word.
 */
export function stemOf(word: string): string {
  const spoken = word.replace(/'s?$/, '').replaceAll("'", '');
  const bare = IRREGULAR.get(spoken) ?? spoken;
  if (bare.length < 4 || /\d/.test(bare)) return bare;
  let stem = bare
    .replace(/ies$/, 'y')
    .replace(/(?<=(?:s|x|z|ch|sh))es$/, '')
    .replace(/(?<=[^su])s$/, '');
  for (const ending of ENDINGS) {
    if (!stem.endsWith(ending) || stem.length - ending.length < 3) continue;
    stem = stem.slice(0, -ending.length);
    break;
  }
  return stem
    .replace(/([^aeiousl])\1$/, '$1')
    .replace(/ll$/, 'l')
    .replace(/(?<=..)[ey]$/, '');
}

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `came come, went go, gone go, broke break, broken break, stole steal, stolen steal, lost lose, left leave, paid pay, sent send, bought buy,
   forgot forget, forgotten forget, fell fall, fallen fall, found find, ate eat, eaten eat, drove drive, driven drive, saw see, seen see,
   felt feel, kept keep, spoke speak, spoken speak, wrote write, written write, chose choose, chosen choose, bit bite, bitten bite,
   torn tear, tore tear, met meet, slept sleep, rang ring, rung ring, caught catch, brought bring, sold sell, thrown throw, threw throw,
   flew fly, flown fly, won win, began begin, begun begin, woke wake, teeth tooth, feet foot, children child, men man, women woman`
    .split(',')
    .map((pair) => pair.trim().split(' '))
    .map(([form = '', base = '']) => [form, base] as const),
);

const ENDINGS = ['ations', 'ation', 'ment', 'ness', 'ing', 'edly', 'ed', 'ly'];
