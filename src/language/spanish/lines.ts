import type { BuiltInLines, SpokenHelp } from '../../model/ports/reader.ts';

/** Spoken to a caller who is addressed as usted. */
export const lines: BuiltInLines = {
  again: [
    'Perdone, no le he entendido. ¿Me lo puede repetir?',
    'Lo siento, no le he entendido. ¿Me lo puede decir de otra manera?',
    'Sigo sin entenderlo. ¿Me lo puede decir en pocas palabras?',
  ],
  againQuestion: [
    'Perdone, no le he entendido. {question}',
    'Lo siento, no lo he entendido. {question}',
    'Se lo pregunto otra vez. {question}',
  ],
  instead: ['¿Qué quiere cambiar?', '¿Qué prefiere entonces?', '¿En qué puedo ayudarle entonces?'],
  goOn: ['¿Qué quiere que haga?', '¿Cómo quiere seguir?'],
  stillThere: ['¿Sigue ahí? {question}', 'No he oído nada. {question}', 'Hola, ¿me oye? {question}'],
  neededAnyway: ['Lo necesito para seguir. {question}', 'Sin eso no puedo seguir. {question}'],
  putAgain: ['Entonces: {question}', 'Vuelvo a mi pregunta: {question}', 'Bien: {question}'],
  stillWaiting: ['Sigo esperando una respuesta. Gracias por su paciencia.', 'No debería tardar mucho más.'],
  readBack: ['{value}, ¿es correcto?'],
  yesOrNo: ['Dígame solo sí o no: {question}', 'Basta con un sí o un no. {question}'],
  youCanSay: ['Puede decir {choices}. {question}', 'Por favor, diga {choices}. {question}'],
  youCanSayBriefly: ['Puede contestar en pocas palabras. {question}', 'Basta con una respuesta corta. {question}'],
  endUnheard: ['No le oigo, así que tengo que terminar aquí la conversación. Adiós.'],
  endNotUnderstood: ['Lo siento, no puedo ayudarle más por aquí, así que tengo que terminar la conversación. Adiós.'],
  endFailed: ['Lo siento, ha habido un problema. Tengo que terminar esta conversación.'],
  failedHere: ['Perdone, algo ha fallado.'],
  recap: ['Perdone, se ha cortado un momento.', 'Hola de nuevo.'],
  deaf: ['Lo siento, no le oigo. Por favor, llame de nuevo más tarde.'],
  notPutThrough: ['No he podido localizar a nadie allí.'],
  takeYourTime: ['Claro, tómese su tiempo.', 'Por supuesto, espero.'],
  working: ['Un momento, por favor.'],
};

/** Help for a caller whose answer was rejected. */
export const help: SpokenHelp = {
  sayable: {
    name: 'el nombre y el apellido, o deletrearlo',
    date: 'un día, por ejemplo el viernes que viene o el cuatro de marzo',
    time: 'una hora, por ejemplo las dos y media de la tarde',
    phone: 'el número cifra por cifra, con su prefijo',
    email: 'la dirección letra por letra, con "arroba" y "punto"',
    boolean: 'sí o no',
    number: 'un número',
    fromTo: 'un número del {least} al {most}',
    from: 'un número a partir de {least}',
    upTo: 'un número hasta {most}',
  },
  reasons: {
    missing: 'Falta {part}.',
    before: 'Tiene que ser antes de {bound}.',
    after: 'Tiene que ser después de {bound}.',
    atLeast: 'Tiene que ser {bound} como mínimo.',
    atMost: 'Tiene que ser {bound} como máximo.',
    ambiguous: 'Eso puede significar más de una cosa.',
    oneOf: 'Eso puede significar {choices}.',
    notWhole: 'Tiene que ser un número entero.',
    form: 'Eso no tiene la forma correcta.',
    phone: 'Ese no es un número de teléfono válido.',
    email: 'Esa no es una dirección de correo válida.',
    date: 'Ese día no existe.',
    time: 'Esa hora no existe.',
    impossible: 'Eso no es posible.',
  },
  words: {
    today: 'hoy',
    year: 'el año',
    hour: 'la hora',
    digits: 'alguna cifra',
    'area code': 'el prefijo',
    domain: 'lo que sigue a la arroba',
  },
};
