import type { BuiltInLines, SpokenHelp } from '../../model/ports/reader.ts';

/** Spoken to a caller who is addressed as vous. */
export const lines: BuiltInLines = {
  again: [
    "Excusez-moi, je n'ai pas compris. Pouvez-vous répéter ?",
    "Je suis désolé, je n'ai pas compris. Pouvez-vous le dire autrement ?",
    "Je n'ai toujours pas compris. Pouvez-vous le dire en quelques mots ?",
  ],
  againQuestion: [
    "Excusez-moi, je n'ai pas compris. {question}",
    "Je suis désolé, je n'ai pas compris. {question}",
    'Je vous repose la question. {question}',
  ],
  instead: [
    'Que souhaitez-vous changer ?',
    'Que préférez-vous à la place ?',
    'Que puis-je faire pour vous à la place ?',
  ],
  goOn: ['Que voulez-vous que je fasse ?', 'Comment souhaitez-vous continuer ?'],
  stillThere: [
    'Vous êtes toujours là ? {question}',
    "Je n'ai rien entendu. {question}",
    "Allô, vous m'entendez ? {question}",
  ],
  neededAnyway: ["J'en ai besoin pour continuer. {question}", 'Sans cela, je ne peux pas continuer. {question}'],
  putAgain: ['Alors : {question}', 'Je reviens à ma question : {question}', 'Donc : {question}'],
  stillWaiting: ["J'attends toujours une réponse. Merci de votre patience.", 'Cela ne devrait plus être long.'],
  readBack: ["{value}, c'est bien ça ?"],
  yesOrNo: ['Dites simplement oui ou non : {question}', 'Un oui ou un non suffit. {question}'],
  youCanSay: ['Vous pouvez dire {choices}. {question}', "Dites {choices}, s'il vous plaît. {question}"],
  youCanSayBriefly: ['Vous pouvez répondre en quelques mots. {question}', 'Une réponse courte suffit. {question}'],
  endUnheard: ['Je ne vous entends pas, je dois donc mettre fin à cette conversation. Au revoir.'],
  endNotUnderstood: [
    'Je suis désolé, je ne peux pas vous aider davantage, je dois donc mettre fin à cette conversation. Au revoir.',
  ],
  endFailed: ['Je suis désolé, il y a eu un problème. Je dois mettre fin à cette conversation.'],
  endLimit: ['Je suis désolé, je dois mettre fin à cette conversation ici. Au revoir.'],
  failedHere: ['Excusez-moi, il y a eu un problème.'],
  recap: ["Excusez-moi, j'ai eu une petite coupure.", 'Bonjour, je reviens vers vous.'],
  deaf: ['Je suis désolé, je ne vous entends pas. Merci de rappeler plus tard.'],
  notPutThrough: ["Je n'ai pu joindre personne."],
  takeYourTime: ['Bien sûr, prenez votre temps.', "D'accord, j'attends."],
  hello: ['Allô ?'],
  working: ["Un instant, s'il vous plaît."],
};

/** Help for a caller whose answer was rejected. */
export const help: SpokenHelp = {
  sayable: {
    name: 'le prénom et le nom, ou les épeler',
    date: 'un jour, par exemple vendredi prochain ou le quatre mars',
    time: 'une heure, par exemple deux heures et demie de l’après-midi',
    phone: 'le numéro chiffre par chiffre, avec son indicatif',
    email: 'l’adresse lettre par lettre, avec "arobase" et "point"',
    boolean: 'oui ou non',
    number: 'un nombre',
    fromTo: 'un nombre de {least} à {most}',
    from: 'un nombre à partir de {least}',
    upTo: 'un nombre jusqu’à {most}',
  },
  reasons: {
    missing: 'Il manque {part}.',
    before: 'Ce doit être avant {bound}.',
    after: 'Ce doit être après {bound}.',
    atLeast: 'Ce doit être au moins {bound}.',
    atMost: 'Ce doit être au plus {bound}.',
    ambiguous: 'Cela peut vouloir dire plusieurs choses.',
    oneOf: 'Cela peut vouloir dire {choices}.',
    notWhole: 'Ce doit être un nombre entier.',
    digits: 'Il faut {least} chiffres.',
    digitsFromTo: 'Il faut de {least} à {most} chiffres.',
    form: 'Cela n’a pas la bonne forme.',
    phone: 'Ce n’est pas un numéro de téléphone valable.',
    email: 'Ce n’est pas une adresse e-mail valable.',
    date: 'Ce jour n’existe pas.',
    time: 'Cette heure n’existe pas.',
    impossible: 'Ce n’est pas possible.',
  },
  words: {
    today: 'aujourd’hui',
    year: 'l’année',
    hour: 'l’heure',
    digits: 'un chiffre',
    'area code': 'l’indicatif',
    domain: 'ce qui suit l’arobase',
  },
};
