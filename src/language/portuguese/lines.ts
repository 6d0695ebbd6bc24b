import type { BuiltInLines, SpokenHelp } from '../../model/ports/reader.ts';

/** Spoken to a caller who is addressed as você. */
export const lines: BuiltInLines = {
  again: [
    'Desculpe, não entendi. Pode repetir, por favor?',
    'Sinto muito, não entendi. Pode dizer de outra forma?',
    'Ainda não entendi. Pode dizer em poucas palavras?',
  ],
  againQuestion: [
    'Desculpe, não entendi. {question}',
    'Sinto muito, não entendi. {question}',
    'Vou perguntar de novo. {question}',
  ],
  instead: ['O que você gostaria de mudar?', 'O que você prefere então?', 'Como posso ajudar então?'],
  goOn: ['O que você quer que eu faça?', 'Como você quer continuar?'],
  stillThere: ['Você ainda está aí? {question}', 'Não ouvi nada. {question}', 'Alô, você está me ouvindo? {question}'],
  neededAnyway: ['Preciso disso para continuar. {question}', 'Sem isso não posso continuar. {question}'],
  putAgain: ['Então: {question}', 'Voltando à minha pergunta: {question}', 'Bem: {question}'],
  stillWaiting: ['Ainda estou à espera de uma resposta. Obrigado pela paciência.', 'Não deve demorar muito mais.'],
  readBack: ['{value}, está certo?'],
  yesOrNo: ['Diga apenas sim ou não: {question}', 'Basta um sim ou um não. {question}'],
  youCanSay: ['Você pode dizer {choices}. {question}', 'Por favor, diga {choices}. {question}'],
  youCanSayBriefly: ['Pode responder em poucas palavras. {question}', 'Basta uma resposta curta. {question}'],
  endUnheard: ['Não consigo ouvir você, então preciso encerrar esta conversa. Até logo.'],
  endNotUnderstood: ['Sinto muito, não consigo ajudar mais por aqui, então preciso encerrar esta conversa. Até logo.'],
  endFailed: ['Sinto muito, houve um problema. Preciso encerrar esta conversa.'],
  failedHere: ['Desculpe, alguma coisa deu errado.'],
  recap: ['Desculpe, caí por um instante.', 'Olá de novo.'],
  deaf: ['Sinto muito, não consigo ouvir você. Por favor, ligue mais tarde.'],
  notPutThrough: ['Não consegui falar com ninguém lá.'],
  takeYourTime: ['Claro, fique à vontade.', 'Tudo bem, eu espero.'],
  working: ['Um momento, por favor.'],
};

/** Help for a caller whose answer was rejected. */
export const help: SpokenHelp = {
  sayable: {
    name: 'o nome e o sobrenome, ou soletrar',
    date: 'um dia, por exemplo sexta-feira que vem ou quatro de março',
    time: 'uma hora, por exemplo duas e meia da tarde',
    phone: 'o número algarismo por algarismo, com o indicativo',
    email: 'o endereço letra por letra, com "arroba" e "ponto"',
    boolean: 'sim ou não',
    number: 'um número',
    fromTo: 'um número de {least} a {most}',
    from: 'um número a partir de {least}',
    upTo: 'um número até {most}',
  },
  reasons: {
    missing: 'Falta {part}.',
    before: 'Tem de ser antes de {bound}.',
    after: 'Tem de ser depois de {bound}.',
    atLeast: 'Tem de ser no mínimo {bound}.',
    atMost: 'Tem de ser no máximo {bound}.',
    ambiguous: 'Isso pode significar mais de uma coisa.',
    oneOf: 'Isso pode significar {choices}.',
    notWhole: 'Tem de ser um número inteiro.',
    form: 'Isso não tem a forma certa.',
    phone: 'Esse não é um número de telefone válido.',
    email: 'Esse não é um endereço de e-mail válido.',
    date: 'Esse dia não existe.',
    time: 'Essa hora não existe.',
    impossible: 'Isso não é possível.',
  },
  words: {
    today: 'hoje',
    year: 'o ano',
    hour: 'a hora',
    digits: 'um algarismo',
    'area code': 'o indicativo',
    domain: 'o que vem depois do arroba',
  },
};
