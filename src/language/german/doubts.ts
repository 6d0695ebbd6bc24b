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
  question: {
    opening:
      /^(?:(?:und|aber|also|ach|oh|ah|na|hallo|entschuldigung|moment)\W+)*(?:(?:haben|sind|machen|offnen|schliessen|arbeiten|nehmen|kommen|liefern|bieten|konnen|wollen|mussen) (?:sie|wir|die)|(?:hat|ist|gibt|kann|muss|macht|kostet|wird|liegt|dauert) (?:es|man|da|das denn|bei|ihr|ihre)|wann|wo|warum|wieso|wieviel|wie (?:viel|viele|lange|weit|spat|teuer|ist|sind|hoch)|was (?:kostet|kosten|ist|sind|macht|machen)|um wie ?viel|welche[nrs]?|wer)\b/,
    within:
      /\b(?:sie|ihr|ihre|es|man|offen|geoffnet|geschlossen|auf|zu haben|wann|wo|warum|wieso|wieviel|wie|was|wer|welche[nrs]?)\b|^[a-z]+ (?:der|die|das|denn|noch|auch|hier|da)\b|\b(?:ist|sind|hat|haben|gibt|kostet)\b/,
    request:
      /\b(?:kann|konnte|darf|durfte|konnen|konnten|durfen|durften|soll|sollen) (?:ich|wir|man|sie)\b.*\b(?:kommen|vorbeikommen|haben|nehmen|buchen|machen|reservieren|wahlen|bestellen|bekommen|kriegen|verschieben|andern|eintragen|geben|sein)\b|\b(?:geht|ginge|gehen|passt|passte|passen|klappt|moglich|frei|okay|ok|recht|zu (?:spat|fruh|viel|viele)|ware|waren)\b|\bwas ist mit\b|\bhatten sie\b|\b(?:haben sie|gibt es|ist)\b.*\b(?:was|etwas|platz|termin|termine|zeit|tisch)\b/,
  },
};
