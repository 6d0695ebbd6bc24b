import type { DoubtWords } from '../doubt.ts';

/** Patterns that retract or doubt a value, without accents. */
export const doubts: DoubtWords = {
  harmless:
    /\b(?:pas de (?:probleme|souci)|sans (?:probleme|souci)|pas (?:plus|moins) (?:de|tard)|pourquoi pas|s'il (?:vous|te) plait|si (?:possible|c'est possible|vous (?:pouvez|avez|voulez))|ou quelque chose)\b/g,
  negation:
    /\b(?:pas|jamais|aucune?|sans|ni|personne ne|(?<!\b(?:suis|es|est|sommes|etes|sont) )ne)\b|\bn'|^non\s+[a-z]/,
  other: /\b(?:autres?|sauf|excepte|hormis|ou|au lieu|plutot que)\b/,
  condition: /\bsi\s+(?!oui|merci)[a-z]|\bs'ils?\b|\ba moins\b|\ba condition\b/,
  restriction: /^(?:mais|sauf|excepte|ou|bien que)\b/,
  conjunction: /(?<=\s)(?:et|mais|car|parce|donc|sauf|puis)(?=\s|$|[,.!?;])/g,
  joining: /^(?:et|ni)\b/,
  statement: /\b(?:je|j'ai|nous|on|c'est|il|ca|mon|ma|est|sont|sera|plutot)\b/,
  person:
    /\b(?:son|sa|leur) (?:numero|nom|adresse|telephone|mail|email|prenom)\b|\bde (?:ma|mon|la|sa|l'autre|un|une) ?(?:femme|mari|compagne|compagnon|fille|fils|mere|pere|soeur|frere|amie?|chef|voisine?|collegue|conducteur|conductrice|patiente?)\b|\bdu (?:conducteur|voisin|patient|chef)\b/,
  aboutPerson:
    /\b(?:femme|mari|compagne|fille|fils|mere|pere|soeur|frere|amie?|enfant|patiente?|invitee?|conducteur|personne|autre)\b/,
  past: /\b(?:ancien|ancienne|vieux|vieille|d'avant|precedent)\b/,
  question: {
    opening:
      /^(?:(?:et|mais|alors|ah|oh|euh|bonjour|pardon|excusez-moi|attendez|dites)\W+)*(?:est-ce qu|(?:avez|etes|ouvrez|fermez|faites|prenez|pouvez|travaillez|livrez)-vous|y a-t-il|[a-z]+-t-(?:il|elle|on)|combien|a quelle heure|quand (?:est|ouvr|ferm|vous)|c'est (?:ouvert|ferme|combien|quand)|vous (?:etes|avez|ouvrez|fermez|faites|livrez|travaillez)|quel(?:le)?s? (?:est|sont|jours?|heures?)|pourquoi|ou (?:est|se))/,
    within:
      /\b(?:vous|votre|vos|c'est|il|elle|ouverte?s?|fermee?s?|combien|quand|quel|quelle|quels|quelles|pourquoi|comment|qui|quoi)\b|\best-ce\b|-(?:vous|il|elle|ce)\b/,
    request:
      /\b(?:je (?:peux|pourrais)|puis-je|pourrais-je|peut-on|pourrait-on|on (?:peut|pourrait)|nous (?:pouvons|pourrions)|pouvons-nous|pourrions-nous|vous (?:pouvez|pourriez)|(?:pouvez|pourriez)-vous)\b.*\b(?:venir|avoir|prendre|faire|reserver|passer|choisir|changer|etre|mettre|commander|deplacer|donner|noter)\b|\b(?:possible|libres?|disponibles?|dispo|trop (?:tard|tot)|(?:ca|cela|vous|te|lui) (?:va|irait|ira|marche|convient|conviendrait)|irait|convient|conviendrait|serait|de la place|creneau|rendez-vous|une table|quelque chose)\b|\bque diriez-vous\b|\b(?:auriez-vous|vous auriez)\b/,
  },
};
