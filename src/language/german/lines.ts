import type { BuiltInLines, SpokenHelp } from '../../model/ports/reader.ts';

/** Spoken to a caller who is addressed as Sie. */
export const lines: BuiltInLines = {
  again: [
    'Entschuldigung, das habe ich nicht verstanden. Könnten Sie das noch einmal sagen?',
    'Ich habe Sie leider nicht verstanden. Könnten Sie das anders sagen?',
    'Ich habe es immer noch nicht verstanden. Könnten Sie es in wenigen Worten sagen?',
  ],
  againQuestion: [
    'Entschuldigung, das habe ich nicht verstanden. {question}',
    'Ich habe Sie leider nicht verstanden. {question}',
    'Ich frage noch einmal. {question}',
  ],
  instead: ['Was möchten Sie ändern?', 'Was möchten Sie stattdessen?', 'Was kann ich stattdessen für Sie tun?'],
  goOn: ['Was soll ich für Sie tun?', 'Wie möchten Sie weitermachen?'],
  stillThere: [
    'Sind Sie noch da? {question}',
    'Ich habe nichts gehört. {question}',
    'Hallo, können Sie mich hören? {question}',
  ],
  neededAnyway: [
    'Das brauche ich, damit es weitergeht. {question}',
    'Ohne das kann ich nicht weitermachen. {question}',
  ],
  putAgain: ['Also: {question}', 'Zurück zu meiner Frage: {question}', 'Noch einmal: {question}'],
  stillWaiting: ['Ich warte noch auf eine Antwort. Danke für Ihre Geduld.', 'Es sollte nicht mehr lange dauern.'],
  readBack: ['{value}, ist das richtig?'],
  yesOrNo: ['Sagen Sie einfach ja oder nein: {question}', 'Ein Ja oder ein Nein genügt. {question}'],
  youCanSay: ['Sie können sagen: {choices}. {question}', 'Bitte sagen Sie {choices}. {question}'],
  youCanSayBriefly: ['Sie können mit wenigen Worten antworten. {question}', 'Eine kurze Antwort genügt. {question}'],
  endUnheard: ['Ich kann Sie nicht hören und muss das Gespräch deshalb hier beenden. Auf Wiederhören.'],
  endNotUnderstood: [
    'Es tut mir leid, ich kann Ihnen hier nicht weiterhelfen und muss das Gespräch deshalb beenden. Auf Wiederhören.',
  ],
  endFailed: ['Es tut mir leid, hier ist etwas schiefgegangen. Ich muss das Gespräch leider beenden.'],
  endLimit: ['Es tut mir leid, ich muss das Gespräch an dieser Stelle beenden. Auf Wiederhören.'],
  failedHere: ['Entschuldigung, da ist etwas schiefgegangen.'],
  recap: ['Entschuldigung, ich war kurz weg.', 'Hallo, ich bin es noch einmal.'],
  deaf: ['Es tut mir leid, ich kann Sie nicht hören. Bitte rufen Sie später noch einmal an.'],
  notPutThrough: ['Dort konnte ich leider niemanden erreichen.'],
  takeYourTime: ['Natürlich, lassen Sie sich Zeit.', 'Gerne, ich warte.'],
  hello: ['Hallo?'],
  working: ['Einen Moment, bitte.'],
};

/** Help for a caller whose answer was rejected. */
export const help: SpokenHelp = {
  sayable: {
    name: 'Vor- und Nachnamen, oder ihn buchstabieren',
    date: 'einen Tag, etwa nächsten Freitag oder den vierten März',
    time: 'eine Uhrzeit, etwa halb drei nachmittags',
    phone: 'die Nummer Ziffer für Ziffer, mit der Vorwahl',
    email: 'die Adresse Buchstabe für Buchstabe, mit "at" und "Punkt"',
    boolean: 'Ja oder Nein',
    number: 'eine Zahl',
    fromTo: 'eine Zahl von {least} bis {most}',
    from: 'eine Zahl ab {least}',
    upTo: 'eine Zahl bis {most}',
  },
  reasons: {
    missing: 'Es fehlt {part}.',
    before: 'Es muss vor {bound} sein.',
    after: 'Es muss nach {bound} sein.',
    atLeast: 'Es muss mindestens {bound} sein.',
    atMost: 'Es darf höchstens {bound} sein.',
    ambiguous: 'Das kann mehr als eines heißen.',
    oneOf: 'Das kann {choices} heißen.',
    notWhole: 'Es muss eine ganze Zahl sein.',
    digits: 'Es müssen {least} Ziffern sein.',
    digitsFromTo: 'Es müssen {least} bis {most} Ziffern sein.',
    form: 'Das hat nicht die richtige Form.',
    phone: 'Das ist keine gültige Telefonnummer.',
    email: 'Das ist keine gültige E-Mail-Adresse.',
    date: 'Diesen Tag gibt es nicht.',
    time: 'Diese Uhrzeit gibt es nicht.',
    impossible: 'Das ist nicht möglich.',
  },
  words: {
    today: 'heute',
    year: 'das Jahr',
    hour: 'die Stunde',
    digits: 'eine Ziffer',
    'area code': 'die Vorwahl',
    domain: 'was nach dem At-Zeichen kommt',
  },
};
