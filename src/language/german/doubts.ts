import type { DoubtWords } from '../doubt.ts';

/** Patterns that retract or doubt a value, without accents. */
export const doubts: DoubtWords = {
  harmless:
    /\b(?:kein problem|keine ursache|keine eile|nicht (?:mehr|weniger|spater|fruher) als|oder so|(?:wenn|falls) (?:moglich|es geht|das geht|es passt|es ihnen passt|sie (?:etwas|was) haben))\b/g,
  negation: /\b(?:nicht|nie|niemals|nichts|weder|ohne|kein|keine[mnrs]?)\b|^ne?in\s+[a-z]/,
  other: /\b(?:ander(?:e|er|es|en|em|s)?|ausser|statt|anstatt|oder|entweder|vermutlich)\b/,
  condition: /\b(?:wenn|falls|sofern|es sei denn|ob)\b/,
  restriction: /^(?:aber|ausser|es sei denn|oder|sondern nur)\b/,
  conjunction: /(?<=\s)(?:und|aber|weil|denn|sondern|ausser|dann)(?=\s|$|[,.!?;])/g,
  joining: /^(?:und|noch)\b/,
  statement: /\b(?:ich|wir|es|sie|man|bitte|das|mein|meine|ist|sind|machen|nehmen)\b/,
  person:
    /\b(?:seine?[mnrs]?|ihre?[mnrs]? (?:nummer|name|adresse|geburtstag|mail|email))\b|\b(?:meine[rs]?|des|der|vom) (?:anderen )?(?:frau|mann(?:es)?|partners?|partnerin|tochter|sohn(?:e?s)?|mutter|vaters?|freund(?:es|in)?|chefs?|chefin|nachbarn?|kollegen|fahrers?|patienten|kindes)\b|\bvon (?:meine[mr]|dem|der)\b/,
  aboutPerson:
    /\b(?:seine?[mnrs]?|frau|mann|partner|partnerin|tochter|sohn|mutter|vater|freund|kind|patient|patientin|gast|fahrer|person|andere[nr]?)\b/,
  past: /\b(?:alte|alter|fruhere|ehemalige|vorherige)\b/,
};
