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
  question: {
    opening:
      /^(?:(?:e|mas|ah|oh|eh|ola|oi|desculpe|entao|por favor)\W+)*(?:(?:abrem|fecham|voces|atendem|trabalham|consertam|entregam|custa|custam)\b|(?:esta|estao|estara) (?:abert|fechad)|quant[oa]s?\b|(?:a )?que horas\b|quando (?:abr|fech|e\b|voce)|qual\b|quais\b|onde\b|por que\b|que dias?\b)/,
    within:
      /\b(?:voce|voces|abert[oa]s?|fechad[oa]s?|abre|fecha|tem|esta|estao|sao|ha|custa|vale|faz|funciona|atende|trabalha|qual|quais|quant[oa]s?|quando|onde|quem|como|que)\b|\b(?!(?:tambem|ontem|alguem|ninguem|bem)\b)[a-z]{2,}(?:am|em)\b/,
    request:
      /\b(?:posso|poderia|podia|podemos|poderiamos|pode|podem|da para|da pra)\b.*\b(?:ser|vir|ir|ter|tomar|fazer|reservar|pedir|mudar|passar|escolher|marcar|ficar|colocar|dar)\b|\b(?:possivel|livre|livres|disponivel|serve|vaga|vagas|mesa|algo|tudo bem|esta bom|esta bem|fica bom|seria|muito (?:tarde|cedo)|tarde demais)\b|\bque tal\b|\bda (?:na|no|para|pra|pro)\b/,
  },
};
