import type { DoubtWords } from '../doubt.ts';

/** Patterns that retract or doubt a value, without accents. */
export const doubts: DoubtWords = {
  harmless:
    /\b(?:sem problema|nao (?:ha|tem) problema|nao importa|nao (?:mais|menos) (?:de|tarde|que)|se (?:possivel|for possivel|der|puder|tiver)|ou algo|por que nao)\b/g,
  negation: /\b(?:nunca|jamais|ninguem|nenhuma?|sem|nem)\b|\bnao\s+[a-z]|\S\s+nao$/,
  other: /\b(?:outr[oa]s?|exceto|ou|em vez de|ao inves|tirando)\b/,
  condition:
    /\bse (?:for|nao|chover|o|a|os|as|eu|ele|ela|houver|fizer|estiver|vier)\b|\ba menos que\b|\bdesde que\b|\bcaso\b/,
  restriction: /^(?:mas|exceto|ou|embora|menos)\b/,
  conjunction: /(?<=\s)(?:e|mas|porque|senao|exceto|entao)(?=\s|$|[,.!?;])/g,
  joining: /^(?:e|nem)\b/,
  statement: /\b(?:eu|sou|somos|e o|e a|sao|esta|posso|quero|prefiro|melhor|meu|minha|seria|pode)\b/,
  person:
    /\b(?:numero|telefone|nome|email|endereco) (?:dele|dela|deles)\b|\bd[oa] (?:minha|meu|outr[oa]|sua|seu) ?(?:mulher|marido|esposa|esposo|filh[oa]|mae|pai|irma|irmao|amig[oa]|chefe|vizinh[oa]|colega|motorista|paciente|don[oa])\b|\bdo motorista\b/,
  aboutPerson:
    /\b(?:mulher|marido|esposa|esposo|filh[oa]|mae|pai|irma|irmao|amig[oa]|crianca|paciente|hospede|motorista|pessoa|outr[oa])\b/,
  past: /\b(?:antig[oa]|velh[oa]|anterior)\b/,
};
