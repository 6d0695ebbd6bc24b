import { sentencesOf } from '../../language/english/answers/questions.ts';

/**
 * Makes a question from a description: a question is kept, "how many people come" becomes "How many people come?", "the
 * day of the visit" becomes "Could you tell me the day of the visit?". Returns null if the words are an instruction for
 * a model.
 */
export function questionFrom(text: string, label = ''): string | null {
  const asked = sentencesOf(text).find((sentence) => sentence.endsWith('?'));
  if (asked !== undefined) return asked;
  const [first = ''] = sentencesOf(text);
  const bare = addressed(first.replace(/[.!;:\s]+$/, '').trim());
  if (bare === '') return label === '' ? 'Could you tell me more?' : `Could you tell me the ${label}, please?`;
  if (WH.test(bare)) return indirect(bare);
  const ifOrWhether = /^(?:whether|if)\s+(.*)$/is.exec(bare)?.[1];
  if (ifOrWhether !== undefined) return inverted(ifOrWhether) ?? `Could you tell me whether ${ifOrWhether}?`;
  if (/^(?:the|a|an|your|any|his|her)\b/i.test(bare)) return `Could you tell me ${lower(bare)}?`;
  if (label !== '' && bare.length > 60) return `Could you tell me the ${label}, please?`;
  return /^(?:date|day|time|name|number|reason|type|kind|size|address|street|city|age|amount|title|model|color|colour|brand|destination|length|duration|phone|email|first|last|full|preferred|order|account|policy|member|customer)\b/i.test(
    bare,
  )
    ? `Could you tell me the ${lower(bare)}?`
    : null;
}

const WH = /^(?:(?:for|at|in|on|from|to|with|by) )?(?:what|which|when|where|who|whom|whose|why|how)\b/i;

/**
 * Makes a direct question of "what time they want": "What time do you want?"; if the grammar is not certain, "Could you
 * tell me …?".
 */
function indirect(clause: string): string {
  const match =
    /^((?:(?:for|at|in|on|from|to|with|by) )?(?:what|which|when|where|who|whom|whose|why|how)\b(?: (?!you\b|your\b)[\p{L}-]+){0,4}?) you (\p{L}+(?:'\p{L}+)?)\b(.*)$/isu.exec(
      clause,
    );
  if (match !== null) {
    const [, lead = '', verb = '', rest = ''] = match;
    if (
      /^(?:are|were|have|can|could|will|would|should|may|might)$/i.test(verb) &&
      !(/^have$/i.test(verb) && !/^ (?:been|had|got|\p{L}+ed)\b/iu.test(rest))
    )
      return question(`${lead} ${verb.toLowerCase()} you${rest}`);
    return question(`${lead} do you ${verb}${rest}`);
  }
  const copula =
    /^((?:what|which|when|where|who|why|how)\b(?: \p{L}+)?) ((?:the|your|a|an|this|that|it)\b(?: [\p{L}'-]+){0,4}?) (is|are|was|were)\b(.*)$/isu.exec(
      clause,
    );
  if (copula !== null) {
    const [, lead = '', subject = '', verb = '', rest = ''] = copula;
    return question(`${lead} ${verb} ${subject}${rest}`);
  }
  // The question word is the subject: "what brings you in", "how many people come".
  if (
    /^(?:what|who|which \p{L}+|what \p{L}+|how (?:many|much) \p{L}+) (?:will|can|would|should|has|have|had|may|must|is|are|was|were|\p{L}+s|come|need|want|suits?|works?|brings?|happened)\b/iu.test(
      clause,
    )
  )
    return question(clause);
  return `Could you tell me ${lower(clause)}?`;
}

/** Makes a question of "you have an account": "Do you have an account?". */
function inverted(clause: string): string | undefined {
  const match = /^(you|it|there|the \p{L}+|your \p{L}+) (\p{L}+)\b(.*)$/isu.exec(clause.trim());
  if (match === null) return undefined;
  const [, subject = '', verb = '', rest = ''] = match;
  if (/^(?:is|are|was|were|can|could|will|would|should|may|has|had)$/i.test(verb))
    return question(`${verb} ${subject}${rest}`);
  if (/^have$/i.test(verb) && /^ (?:been|had|got|ever|already|\p{L}+ed)\b/iu.test(rest))
    return question(`have ${subject}${rest}`);
  return /^you$/i.test(subject) ? question(`do ${subject} ${verb}${rest}`) : undefined;
}

/** Changes words about the caller to words to the caller. */
export function addressed(text: string): string {
  const people = '(?:callers?|users?|customers?|guests?|clients?|patients?|visitors?|members?)';
  return text
    .replaceAll(new RegExp(`\\bthe ${people}'s?(?=\\s)`, 'gi'), 'your')
    .replaceAll(
      new RegExp(
        `\\b(?:the ${people}|they|he|she|them)\\b(?: (has|is|was|does|wants|needs|likes|lives|calls|comes|prefers|says|thinks|works|uses|pays|brings|\\p{L}{3,}s)\\b)?`,
        'giu',
      ),
      (_all, verb: string | undefined) => (verb === undefined ? 'you' : `you ${secondPerson(verb)}`),
    )
    .replaceAll(/\b(?:their|his)\b/gi, 'your')
    .replaceAll(/\btheirs\b/gi, 'yours')
    .replaceAll(/\bthemselves\b/gi, 'yourself')
    .replaceAll(
      /(?:\bthe |^)([\p{L} ]{3,40}?) of you\b/giu,
      (_all, thing: string) => `your ${thing.charAt(0).toLowerCase()}${thing.slice(1)}`,
    );
}

function secondPerson(verb: string): string {
  const known: Readonly<Record<string, string>> = {
    has: 'have',
    is: 'are',
    was: 'were',
    does: 'do',
    goes: 'go',
    pays: 'pay',
    says: 'say',
  };
  const lower = verb.toLowerCase();
  if (Object.hasOwn(known, lower)) return known[lower] ?? lower;
  if (/(?:ss|us|is)$/.test(lower)) return lower;
  return lower
    .replace(/ies$/, 'y')
    .replace(/(?<=(?:sh|ch|x|z|s))es$/, '')
    .replace(/s$/, '');
}

function question(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}?`;
}

function lower(text: string): string {
  return /^(?:I\b|\p{Lu}\p{Lu})/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
