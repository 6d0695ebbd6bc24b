/** The words of an awkward caller in one language. */
export interface Phrases {
  readonly yes: readonly [string, ...string[]];
  readonly weak: readonly [string, ...string[]];
  readonly no: string;
  /** A no with a reason and without a value. */
  readonly refusals: readonly [string, ...string[]];
  /** A condition, an alternative or a doubt. It is not a yes, even if it contains one. */
  readonly hedges: readonly [string, ...string[]];
  /** A yes with a question or a request, which makes the yes void. */
  readonly asides: readonly [string, ...string[]];
  /** Neither a yes nor a no. */
  readonly unrelated: readonly [string, ...string[]];
  readonly sounds: readonly [string, ...string[]];
  readonly repeats: readonly [string, ...string[]];
  readonly waits: readonly [string, ...string[]];
  readonly person: string;
  readonly goodbye: string;
  readonly decline: string;
  /** Values that no slot accepts. */
  readonly badValues: readonly [string, ...string[]];
  /** Words that no reader can act on. */
  readonly stalls: readonly [string, ...string[]];
  /** Words after a plain answer. */
  readonly trailing: readonly [string, ...string[]];
  readonly unknown: string;
  /** A question in the model's words; in one language it is about a slot of the flow. */
  readonly askedBack: string;
  /** A number that answers a question by the model. */
  readonly number: string;
  correction(words: string): string;
  refusal(words: string): string;
}

export const english: Phrases = {
  yes: ['Yes.', 'Yes, please.', 'Yeah, go ahead.', 'Sure.'],
  weak: ['Okay.', 'Uh-huh.', 'Mm-hm.', 'Right.', 'Fine.'],
  no: 'No.',
  refusals: [
    'No, that is too much.',
    'No, not like that.',
    'No, that is wrong.',
    'No, I have changed my mind.',
    "No, I don't want that.",
  ],
  hedges: [
    'Yes, but only if it is cheap.',
    'If there is parking, yes.',
    'Maybe.',
    'Yes or no, I am not sure.',
    'I would say yes, unless it rains.',
  ],
  asides: [
    'Yes, but how much is it?',
    'Yes, what does that cost?',
    'Okay, can you say that again?',
    'Yes, wait a moment.',
  ],
  unrelated: [
    'From Tuesday, not Monday.',
    'I will think about it.',
    'She is not here.',
    'My dog is barking.',
    'Um, well.',
    'Not two.',
    'The number of the other driver is on the paper.',
  ],
  sounds: ['Hmm.', 'Um.', 'Uh, let me see.'],
  repeats: ['Can you repeat that?', 'What?', 'How was that again?'],
  waits: ['Wait a moment.', 'One second, please.'],
  person: 'Can I speak to a human?',
  goodbye: 'I have to go, goodbye.',
  decline: 'I would rather not say.',
  badValues: ['Yesterday.', 'Four hundred.', 'On February thirtieth.', '555 2671.'],
  stalls: ['Thanks.', 'Well, so.', 'Hello.'],
  trailing: [' Thank you so much.', ' And do you have parking?', ' But I am not at home.', ' And oh, one more thing.'],
  unknown: 'I do not know.',
  askedBack: 'Sorry, what do you mean?',
  number: 'Three.',
  correction: (words) => `Oh, wait, it is ${words}.`,
  refusal: (words) => `No, ${words}.`,
};

export const german: Phrases = {
  yes: ['Ja.', 'Ja, bitte.', 'Genau.', 'Ja, gern.'],
  weak: ['Okay.', 'Mhm.', 'Gut.', 'Na gut.'],
  no: 'Nein.',
  refusals: ['Nein, das ist zu viel.', 'Nein, so nicht.', 'Nein, das will ich nicht.', 'Nein, das stimmt nicht.'],
  hedges: [
    'Ja, aber nur wenn es billig ist.',
    'Wenn es Parkplätze gibt, ja.',
    'Vielleicht.',
    'Ja oder nein, ich weiß nicht.',
  ],
  asides: ['Ja, aber was kostet das?', 'Okay, können Sie das wiederholen?', 'Ja, warten Sie einen Moment.'],
  unrelated: [
    'Ich überlege es mir.',
    'Sie ist nicht da.',
    'Mein Hund bellt.',
    'Danke.',
    'Nicht freigeben.',
    'Nicht zwei.',
  ],
  sounds: ['Hm.', 'Äh.', 'Ähm, Moment.'],
  repeats: ['Können Sie das wiederholen?', 'Wie bitte?', 'Was?'],
  waits: ['Moment bitte.', 'Warten Sie kurz.'],
  person: 'Kann ich mit einem Menschen sprechen?',
  goodbye: 'Ich muss los, auf Wiederhören.',
  decline: 'Das möchte ich nicht sagen.',
  badValues: ['Gestern.', 'Vierhundert.', 'Am dreißigsten Februar.', '555 26.'],
  stalls: ['Danke.', 'Na ja.', 'Hallo.'],
  trailing: [' Vielen Dank.', ' Und gibt es einen Parkplatz?', ' Aber ich bin nicht zu Hause.'],
  unknown: 'Das weiß ich nicht.',
  askedBack: 'Welche Nummer meinen Sie?',
  number: 'Drei.',
  correction: (words) => `Ach, Moment, es ist ${words}.`,
  refusal: (words) => `Nein, ${words}.`,
};

export const spanish: Phrases = {
  yes: ['Sí.', 'Sí, por favor.', 'Claro.', 'Sí, adelante.'],
  weak: ['Vale.', 'Ajá.', 'Bueno.', 'Bien.'],
  no: 'No.',
  refusals: ['No, es demasiado.', 'No, así no.', 'No, no quiero eso.', 'No, eso no es correcto.'],
  hedges: ['Sí, pero solo si es barato.', 'Si hay aparcamiento, sí.', 'Quizás.', 'Sí o no, no estoy seguro.'],
  asides: ['Sí, pero ¿cuánto cuesta?', 'Vale, ¿puede repetirlo?', 'Sí, espere un momento.'],
  unrelated: ['Lo voy a pensar.', 'Ella no está.', 'Mi perro está ladrando.', 'No dos.'],
  sounds: ['Mmm.', 'Eh.', 'Pues, a ver.'],
  repeats: ['¿Puede repetirlo?', '¿Cómo?', '¿Qué?'],
  waits: ['Un momento.', 'Espere un segundo.'],
  person: '¿Puedo hablar con una persona?',
  goodbye: 'Tengo que irme, adiós.',
  decline: 'Prefiero no decirlo.',
  badValues: ['Ayer.', 'Cuatrocientos.', 'El treinta de febrero.', '555 26.'],
  stalls: ['Gracias.', 'Bueno, pues.', 'Hola.'],
  trailing: [' Muchas gracias.', ' ¿Y hay aparcamiento?', ' Pero no estoy en casa.'],
  unknown: 'No lo sé.',
  askedBack: 'Perdón, ¿qué quiere decir?',
  number: 'Tres.',
  correction: (words) => `Ah, espere, es ${words}.`,
  refusal: (words) => `No, ${words}.`,
};

export const french: Phrases = {
  yes: ['Oui.', "Oui, s'il vous plaît.", 'Bien sûr.', 'Oui, allez-y.'],
  weak: ['Ok.', 'Voilà.', 'Très bien.', "C'est bon."],
  no: 'Non.',
  refusals: [
    "Non, c'est trop.",
    'Non, pas comme ça.',
    'Non, je ne veux pas ça.',
    "Non, ce n'est pas correct.",
    "Non, j'ai changé d'avis.",
  ],
  hedges: [
    "Oui, mais seulement si c'est bon marché.",
    "S'il y a un parking, oui.",
    'Peut-être.',
    'Oui ou non, je ne suis pas sûr.',
  ],
  asides: ['Oui, mais combien ça coûte ?', "D'accord, vous pouvez répéter ?", 'Oui, attendez un instant.'],
  unrelated: ['Je vais y réfléchir.', "Elle n'est pas là.", 'Mon chien aboie.', 'Pas deux.'],
  sounds: ['Hum.', 'Euh.', 'Euh, voyons.'],
  repeats: ['Pouvez-vous répéter ?', 'Comment ?', 'Quoi ?'],
  waits: ['Un instant.', 'Attendez une seconde.'],
  person: 'Je peux parler à une personne ?',
  goodbye: 'Je dois y aller, au revoir.',
  decline: 'Je préfère ne pas le dire.',
  badValues: ['Hier.', 'Quatre cents.', 'Le trente février.', '555 26.'],
  stalls: ['Merci.', 'Bon, alors.', 'Bonjour.'],
  trailing: [' Merci beaucoup.', ' Et il y a un parking ?', ' Mais je ne suis pas chez moi.'],
  unknown: 'Je ne sais pas.',
  askedBack: 'Pardon, que voulez-vous dire ?',
  number: 'Trois.',
  correction: (words) => `Ah, attendez, c'est ${words}.`,
  refusal: (words) => `Non, ${words}.`,
};

export const portuguese: Phrases = {
  yes: ['Sim.', 'Sim, por favor.', 'Claro.', 'Sim, pode fazer.'],
  weak: ['Tá.', 'Aham.', 'Tudo bem.', 'Certo.'],
  no: 'Não.',
  refusals: ['Não, é demais.', 'Não, assim não.', 'Não, não quero isso.', 'Não, isso não está certo.'],
  hedges: ['Sim, mas só se for barato.', 'Se tiver estacionamento, sim.', 'Talvez.', 'Sim ou não, não tenho certeza.'],
  asides: ['Sim, mas quanto custa?', 'Tudo bem, pode repetir?', 'Sim, espere um momento.'],
  unrelated: ['Vou pensar.', 'Ela não está.', 'Meu cachorro está latindo.', 'Não dois.'],
  sounds: ['Hm.', 'Eh.', 'Ahn, vejamos.'],
  repeats: ['Pode repetir?', 'Como?', 'O quê?'],
  waits: ['Um momento.', 'Espere um segundo.'],
  person: 'Posso falar com uma pessoa?',
  goodbye: 'Tenho que ir, tchau.',
  decline: 'Prefiro não dizer.',
  badValues: ['Ontem.', 'Quatrocentos.', 'No dia trinta de fevereiro.', '555 26.'],
  stalls: ['Obrigado.', 'Então, pois.', 'Olá.'],
  trailing: [' Muito obrigado.', ' E tem estacionamento?', ' Mas não estou em casa.'],
  unknown: 'Não sei.',
  askedBack: 'Desculpe, o que quer dizer?',
  number: 'Três.',
  correction: (words) => `Ah, espere, é ${words}.`,
  refusal: (words) => `Não, ${words}.`,
};
