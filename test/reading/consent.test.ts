import { describe, expect, it } from 'vitest';
import { languages } from './languages.ts';

const readerOf = new Map(languages.map(([name, reader]) => [name, reader]));

/** A question, answers that use its own verb, refusals with it, and an answer in which another verb makes a no or nothing. */
const verbs = [
  [
    'English',
    'Shall I cancel your visit?',
    [
      'yes, please cancel',
      'please cancel',
      'cancel it',
      'Cancel.',
      'yes cancel the visit',
      'I want to cancel',
      'I would like to cancel it, please',
    ],
    ['no, cancel', "don't cancel it", 'do not cancel', 'please do not cancel it', "no, don't cancel"],
  ],
  [
    'English',
    'Would you like me to stop the subscription?',
    ['stop it', 'please stop it', 'yes, stop it please'],
    ["don't stop it", 'no', 'never'],
  ],
  [
    'English',
    'Are you sure you want to delete the account?',
    ['delete it', 'yes, delete it', 'please delete the account'],
    ["don't delete it", 'no, keep'],
  ],
  ['English', 'Shall I change your booking?', ['change it', 'yes, please change it'], ["don't change it"]],
  [
    'English',
    'Approve the refund?',
    ['approve', 'approve it please', 'approved'],
    ["don't approve", 'not approved', 'do not approve it'],
  ],
  ['English', 'Should I pay it now?', ['pay it', 'yes pay', 'pay it now please'], ["don't pay it"]],
  [
    'Spanish',
    '¿Quiere que cancele su visita?',
    ['sí, cancele', 'cancélela por favor', 'cancelar', 'quiero cancelar', 'puede cancelarla'],
    ['no cancele', 'no, cancele', 'no la cancele'],
  ],
  ['Spanish', '¿Apruebo el reembolso?', ['aprobar', 'apruébelo', 'sí, apruebe'], ['no aprobar', 'no lo apruebe']],
  ['Spanish', '¿Marco la cita?', ['márquela', 'sí, marque'], ['no la marque']],
  [
    'German',
    'Soll ich Ihren Termin absagen?',
    ['ja, absagen', 'bitte absagen', 'sagen Sie ihn ab', 'ja, sagen Sie ihn bitte ab', 'absagen'],
    ['nicht absagen', 'nein, absagen', 'sagen Sie ihn nicht ab', 'bitte nicht absagen'],
  ],
  [
    'German',
    'Soll ich den Termin stornieren?',
    ['stornieren Sie das', 'bitte stornieren', 'ja stornieren'],
    ['nicht stornieren', 'nein, nicht stornieren', 'das nicht stornieren'],
  ],
  [
    'German',
    'Die Zahlung freigeben?',
    ['freigeben', 'bitte freigeben', 'geben Sie die Zahlung frei'],
    ['nicht freigeben', 'bitte nicht freigeben'],
  ],
  [
    'French',
    "Voulez-vous que j'annule votre rendez-vous ?",
    ['annulez', 'oui, annulez', "annulez-le s'il vous plaît", 'vous pouvez annuler', 'je veux annuler'],
    ["n'annulez pas", 'non, annulez', 'ne pas annuler'],
  ],
  [
    'French',
    'Dois-je approuver le remboursement ?',
    ['approuvez', 'approuver', 'oui approuvez-le'],
    ['ne pas approuver', "n'approuvez pas"],
  ],
  [
    'Portuguese',
    'Posso cancelar a sua consulta?',
    ['pode cancelar', 'cancele', 'cancela por favor', 'sim, cancelar', 'quero cancelar'],
    ['não cancele', 'não, cancela', 'não cancelar'],
  ],
  [
    'Portuguese',
    'Quer que eu aprove o reembolso?',
    ['aprovar', 'aprove', 'pode aprovar'],
    ['não aprovar', 'não aprove'],
  ],
] as const;

describe('the verb of a question', () => {
  it.each(verbs)('%s: %s', (language, question, agreements, refusals) => {
    const reader = readerOf.get(language);
    for (const text of agreements) {
      expect(reader?.consent(text, question), text).toMatchObject({ answer: 'yes', strength: 'plain' });
      expect(reader?.consent(text, question), text).not.toHaveProperty('leansNo');
    }
    for (const text of refusals) {
      const read = reader?.consent(text, question);
      expect(read?.answer, text).not.toBe('yes');
      expect(read, text).toMatchObject({ leansNo: true, negates: true });
      expect(read, text).not.toHaveProperty('usesVerb');
    }
  });

  it('refuses what another question offers', () => {
    const others = [
      ['English', 'Shall I book it?', 'cancel it'],
      ['Spanish', '¿Lo reservo?', 'cancele'],
      ['German', 'Soll ich das buchen?', 'stornieren Sie das'],
      ['French', 'Je réserve ?', 'annulez'],
      ['Portuguese', 'Posso marcar?', 'pode cancelar'],
    ] as const;
    for (const [language, question, text] of others)
      expect(readerOf.get(language)?.consent(text, question), text).toMatchObject({ answer: 'no', leansNo: true });
  });

  it.each([
    ['English', 'Shall I cancel your visit?', 'please cancel it, I am ill', true],
    ['English', 'Shall I cancel your visit?', "cancel it because I can't come", true],
    ['English', 'Shall I cancel your visit?', 'if I cancel it I am in trouble', false],
    ['English', 'Shall I cancel your visit?', 'can you cancel it on Friday', false],
    ['English', 'Shall I cancel your visit?', 'I would never cancel my visit', false],
    ['English', 'Shall I change it to Friday?', 'change it to Saturday', false],
    ['English', 'Shall I cancel your visit?', 'cancel the other one', false],
    ['Spanish', '¿Quiere que cancele su visita?', 'cancele, estoy enferma', true],
    ['Spanish', '¿Quiere que cancele su visita?', 'cancele el viernes', false],
    ['German', 'Soll ich den Termin absagen?', 'sagen Sie ihn ab, ich bin krank', true],
    ['German', 'Soll ich den Termin absagen?', 'absagen, wenn es nichts kostet', false],
    ['French', "Voulez-vous que j'annule votre rendez-vous ?", 'annulez, je suis malade', true],
    ['French', "Voulez-vous que j'annule votre rendez-vous ?", 'annulez celui de vendredi', false],
    ['Portuguese', 'Posso cancelar a sua consulta?', 'pode cancelar, estou doente', true],
    ['Portuguese', 'Posso cancelar a sua consulta?', 'pode cancelar se for grátis', false],
  ] as const)('%s: to %j, %j uses it: %j', (language, question, text, expected) => {
    expect(readerOf.get(language)?.consent(text, question).usesVerb ?? false).toBe(expected);
  });
});

describe('a no with other words', () => {
  it.each([
    [
      'English',
      [
        'No, that is too much.',
        "I'd rather not on a Friday",
        'No, AB123456.',
        'nope the other one',
        "that doesn't work for me",
        'No, nobody was hurt.',
        'I changed my mind, leave it as it was',
        "Well, I don't want the insurance",
      ],
    ],
    [
      'Spanish',
      [
        'No, es demasiado caro.',
        'no, el viernes',
        'mejor no, gracias por todo',
        'pues no, mi marido está de viaje',
        'es que no quiero la garantía',
      ],
    ],
    ['German', ['Nein, das ist zu teuer.', 'nee, der andere', 'Lieber nicht am Freitag', 'am Freitag geht das nicht']],
    ['French', ["Non, c'est trop cher.", 'non, vendredi', 'euh non, le deuxième', 'le vendredi je ne peux pas']],
    ['Portuguese', ['Não, é muito caro.', 'não, na sexta', 'ah não, o outro', 'na sexta não posso']],
  ] as const)('leans to it in %s', (language, texts) => {
    for (const text of texts) {
      expect(readerOf.get(language)?.consent(text), text).toMatchObject({ leansNo: true });
      expect(readerOf.get(language)?.consent(text).leansYes, text).toBeUndefined();
    }
  });

  it.each([
    [
      'English',
      [
        'yes, in blue',
        "I don't eat meat",
        'not sure',
        'no problem',
        "I don't know",
        'Friday',
        'no idea',
        'no rush',
        'why not',
      ],
    ],
    ['Spanish', ['sí, en azul', 'no sé', 'no hay problema', 'el viernes']],
    ['German', ['ja, in blau', 'ich weiß nicht', 'kein Problem', 'am Freitag', 'noch nicht']],
    ['French', ['oui, en bleu', 'je ne sais pas', 'pas de problème', 'vendredi', 'pas encore']],
    ['Portuguese', ['sim, em azul', 'não sei', 'sem problema', 'na sexta', 'ainda não']],
  ] as const)('is told from other words in %s', (language, texts) => {
    for (const text of texts) expect(readerOf.get(language)?.consent(text), text).not.toHaveProperty('leansNo');
  });
});

describe('a negation of something other than the proposal', () => {
  const proposals = {
    English: 'Shall I book Friday at nine?',
    Spanish: '¿Reservo el viernes a las nueve?',
    German: 'Soll ich Freitag um neun buchen?',
    French: 'Je réserve vendredi à neuf heures ?',
    Portuguese: 'Posso marcar sexta às nove?',
  };

  it.each([
    [
      'English',
      [
        "I can't hear you",
        "I don't understand",
        "No, I can't hear you",
        'Nothing against it.',
        'I have no objection',
        'No idea.',
      ],
    ],
    [
      'Spanish',
      ['No le oigo', 'No entiendo', 'No, no le oigo', 'Nada en contra.', 'No tengo inconveniente', 'Ni idea.'],
    ],
    [
      'German',
      ['Ich verstehe nicht', 'Nein, ich höre Sie nicht', 'Nicht verstanden', 'Nichts dagegen.', 'Keine Ahnung.'],
    ],
    ['French', ['Je ne comprends pas', "Non, je n'entends rien", 'Pas compris', 'Rien contre.', 'Aucune idée.']],
    ['Portuguese', ['Não entendi', 'Não, não estou ouvindo', 'Nada contra.', 'Não há problema', 'Nenhuma ideia.']],
  ] as const)('does not refuse in %s', (language, texts) => {
    for (const text of texts) {
      const read = readerOf.get(language)?.consent(text, proposals[language]);
      expect(read, text).not.toHaveProperty('leansNo');
      expect(read, text).not.toHaveProperty('answer');
    }
  });

  it.each([
    ['English', ['Not on Friday', 'no that is too much']],
    ['Spanish', ['no el viernes', 'no, es caro', 'no me gusta nada']],
    ['German', ['Nicht am Freitag', 'nein das ist zu teuer', 'lieber nicht so früh']],
    ['French', ['pas le vendredi', "non c'est trop cher", 'je ne veux pas entendre ça']],
    ['Portuguese', ['não na sexta', 'não, é caro', 'não gosto nada']],
  ] as const)('refuses if it denies what the question names, or is a phrase of refusal, in %s', (language, texts) => {
    for (const text of texts)
      expect(readerOf.get(language)?.consent(text, proposals[language]), text).toMatchObject({ leansNo: true });
  });

  it.each([
    ['English', ['Not at that price', 'no, not for that money', 'at that price, no']],
    ['Spanish', ['no a ese precio', 'A ese precio no', 'no, por ese dinero no']],
    ['German', ['Nicht zu dem Preis', 'nein, nicht für das Geld', 'zu diesem Preis nicht']],
    ['French', ['Pas à ce prix', 'non, pas pour cette somme', 'à ce prix, non']],
    ['Portuguese', ['não a esse preço', 'a esse preço não', 'nessas condições, não']],
  ] as const)('refuses if it denies a circumstance of the proposal, in %s', (language, texts) => {
    for (const text of texts) {
      expect(readerOf.get(language)?.consent(text, proposals[language]), text).toMatchObject({ leansNo: true });
      expect(readerOf.get(language)?.consent(text), text).toMatchObject({ leansNo: true });
    }
  });

  it.each([
    ['English', ['Nothing against it', 'no objection', 'not bad', 'no idea', 'no doubt about it', 'no preference']],
    ['Spanish', ['Nada en contra', 'No hay objeción', 'No está mal', 'no tengo inconveniente', 'no importa']],
    ['German', ['Nichts dagegen', 'Nicht schlecht', 'nicht übel', 'keine Einwände', 'keine Ahnung']],
    ['French', ['Rien contre', 'Pas mal', "pas d'objection", 'aucune idée', "je n'ai rien contre"]],
    ['Portuguese', ['Nada contra', 'Não há problema', 'não faz mal', 'não vejo problema', 'não faço ideia']],
  ] as const)('is not the no of a boolean if it denies an objection, in %s', (language, texts) => {
    const reader = readerOf.get(language);
    for (const text of texts) {
      expect(reader?.leaning(text), text).not.toBe('no');
      expect(reader?.value('boolean', text, { now: '2026-11-27T10:00', asked: true }), text).not.toMatchObject({
        value: false,
      });
      expect(reader?.consent(text).answer, text).not.toBe('no');
    }
  });

  it.each([
    ['English', ['no, I have a problem with that', 'no allergies']],
    ['Spanish', ['no, tengo un problema', 'no tengo coche']],
    ['German', ['nein, ich habe ein Problem damit']],
    ['French', ['non, je suis contre', 'non je suis contre']],
    ['Portuguese', ['não, tenho um problema', 'não tenho seguro']],
  ] as const)('is a no before an objection, in %s', (language, texts) => {
    for (const text of texts) expect(readerOf.get(language)?.leaning(text), text).toBe('no');
  });

  it('does not decline an optional value either', () => {
    for (const [language, text] of [
      ['Spanish', 'No entiendo'],
      ['Portuguese', 'Não percebo nada'],
      ['German', 'Nicht verstanden'],
    ] as const)
      expect(readerOf.get(language)?.leaning(text), text).toBeNull();
  });
});

describe('a question of the caller', () => {
  it.each([
    [
      'English',
      [
        'is it Friday',
        'what does it cost',
        'yes, but can I bring my dog',
        'do you have parking',
        'Okay, how long does it take',
        "isn't that the day before",
        'Friday?',
      ],
      [
        'it is Friday',
        'do it',
        'the one that is cheaper',
        'that is a lot of money',
        'yes',
        'will Smith',
        'have a nice day',
      ],
    ],
    [
      'Spanish',
      ['cuánto cuesta', 'sí, ¿y cuánto cuesta?', 'qué día es', 'es el viernes?'],
      ['es el viernes', 'sí', 'mañana'],
    ],
    [
      'German',
      ['ist es Freitag', 'haben Sie Parkplätze', 'was kostet das', 'ja, und wann ist das'],
      ['es ist Freitag', 'ja', 'machen Sie das'],
    ],
    [
      'French',
      ["est-ce que c'est vendredi", 'combien ça coûte', "oui, c'est quand", 'avez-vous un parking'],
      ["c'est vendredi", 'oui', 'allez-y'],
    ],
    [
      'Portuguese',
      ['quanto custa', 'será que é na sexta', 'tem estacionamento', 'sim, e quando é'],
      ['é na sexta', 'sim', 'pode marcar'],
    ],
  ] as const)('needs no question mark in %s', (language, questions, others) => {
    for (const text of questions) expect(readerOf.get(language)?.consent(text), text).toMatchObject({ asks: true });
    for (const text of others) expect(readerOf.get(language)?.consent(text), text).not.toHaveProperty('asks');
  });
});

describe('a yes that may only show that somebody listens', () => {
  it.each([
    [
      'English',
      ['okay', 'right', 'mhm', 'Uh-huh.', 'fine', 'okay, thanks'],
      ['yes', 'okay, yes', 'okay do that', 'that is right', 'sure'],
    ],
    ['Spanish', ['vale', 'ajá', 'bueno'], ['sí', 'vale, sí', 'claro que sí']],
    ['German', ['okay', 'mhm', 'gut'], ['ja', 'gut, ja', 'gerne']],
    ['French', ['ok', 'voilà'], ['oui', 'ok, oui', "d'accord"]],
    ['Portuguese', ['tá', 'aham', 'certo'], ['sim', 'tá, sim', 'claro que sim']],
  ] as const)('is weak in %s', (language, weak, plain) => {
    for (const text of weak)
      expect(readerOf.get(language)?.consent(text), text).toMatchObject({ answer: 'yes', strength: 'weak' });
    for (const text of plain)
      expect(readerOf.get(language)?.consent(text), text).toMatchObject({ answer: 'yes', strength: 'plain' });
  });
});

describe('a question in the negative, or with alternatives', () => {
  it.each([
    [
      'English',
      [
        "You don't smoke, do you?",
        'Is it red or blue?',
        "Isn't that the one?",
        'Do you mind if I record this?',
        'So no milk?',
      ],
      ['Shall I book it?', 'Shall I book it or not?', 'You have no car. Shall I send one?', 'Is that right?'],
    ],
    [
      'Spanish',
      ['¿No fuma usted?', '¿Rojo o azul?', '¿Le importa que lo grabe?'],
      ['¿Lo reservo?', '¿Lo reservo o no?', 'No tiene coche. ¿Le envío uno?'],
    ],
    [
      'German',
      ['Sie rauchen nicht, oder?', 'Rot oder blau?', 'Stört es Sie, wenn ich das aufnehme?'],
      ['Soll ich das buchen?', 'Soll ich das buchen oder nicht?'],
    ],
    [
      'French',
      ['Vous ne fumez pas ?', 'Rouge ou bleu ?', 'Ça vous dérange si je note ?'],
      ['Je réserve ?', 'Je réserve ou pas ?'],
    ],
    [
      'Portuguese',
      ['O senhor não fuma?', 'Vermelho ou azul?', 'Se importa se eu gravar?'],
      ['Posso marcar?', 'Posso marcar ou não?'],
    ],
  ] as const)('is known in %s', (language, questions, others) => {
    const reader = readerOf.get(language);
    expect(questions.filter((text) => reader?.isNegativeOrEitherOr(text) !== true)).toEqual([]);
    expect(others.filter((text) => reader?.isNegativeOrEitherOr(text) !== false)).toEqual([]);
  });
});

describe('a caller who gives it up', () => {
  it.each([
    [
      'English',
      [
        "Let's not.",
        'Alright, forget it then.',
        "It's okay, leave it.",
        "Don't bother.",
        'Not anymore.',
        'Scratch that.',
      ],
      ['Leave it at nine.', 'Leave it as it is.', 'Never mind the time.'],
    ],
    [
      'Spanish',
      ['Olvídalo.', 'Déjalo.', 'Bueno, déjelo.', 'Ya no.', 'He cambiado de idea.', 'Pensándolo bien, no.'],
      ['Déjelo a las nueve.', 'Déjelo como está.'],
    ],
    [
      'German',
      [
        'Schon gut, lassen Sie es.',
        "Ach, vergessen Sie's.",
        'Lass gut sein.',
        "Ist schon gut, lassen wir's.",
        'Dann eben nicht.',
        "Ich hab's mir anders überlegt.",
        'Hat sich erledigt.',
      ],
      ['Lassen Sie es bei neun.'],
    ],
    [
      'French',
      ['Laisse tomber.', "C'est bon, laissez.", 'Finalement non.', "J'ai changé d'avis.", 'Oubliez ça.'],
      ['Laissez à neuf heures.', 'Laissez comme ça.'],
    ],
    [
      'Portuguese',
      ['Deixe para lá.', 'Deixa estar.', 'Mudei de ideia.', 'Já não quero.', 'Hoje não.'],
      ['Deixe às nove.', 'Deixe como está.'],
    ],
  ] as const)('refuses in %s, and keeps what they name', (language, refusals, keeping) => {
    const reader = readerOf.get(language);
    expect(refusals.filter((text) => reader?.consent(text).answer !== 'no')).toEqual([]);
    for (const text of keeping) {
      expect(reader?.consent(text), text).not.toHaveProperty('answer');
      expect(reader?.consent(text), text).not.toHaveProperty('leansNo');
    }
  });
});

describe('words that are neither a yes nor a no', () => {
  it.each([
    ['English', 'Saturday works better for us all'],
    ['Spanish', 'el sábado me viene bien a mí'],
    ['German', 'Samstag Vormittag passt besser, sonst gern Montag früh'],
    ['German', 'die rote Jacke passt'],
  ] as const)('%s: %j agrees to no other day', (language, text) => {
    const question = {
      English: 'Shall I book Friday?',
      Spanish: '¿Reservo el viernes?',
      German: 'Soll ich Freitag buchen?',
    };
    expect(readerOf.get(language)?.consent(text, question[language])).not.toHaveProperty('leansYes');
  });

  it('are consent in no language, neither by rules nor beside an agreeing model', () => {
    const taken = languages.flatMap(([name, reader, { question, neither }]) =>
      neither
        .filter((text) => {
          const { answer, leansYes, usesVerb } = reader.consent(text, question);
          return answer !== undefined || leansYes === true || usesVerb === true;
        })
        .map((text) => `${name}: ${text}`),
    );
    const counts = languages.map(([name, reader, { question, agreements, refusals, neither }]) => {
      const known = (texts: readonly string[], side: 'yes' | 'no'): string =>
        `${texts.filter((text) => reader.consent(text, question).answer === side).length}/${texts.length}`;
      return `${name}: agree ${known(agreements, 'yes')}, refuse ${known(refusals, 'no')}, neither ${neither.length} left open`;
    });
    console.log(counts.join('\n'));
    expect(taken).toEqual([]);
  });
});

it.each([
  [
    'English',
    ['yes, I think', 'yes, I think so', 'I suppose so', 'yeah, probably', 'most likely yes', 'sure, whatever'],
  ],
  [
    'German',
    ['Ja, glaube ich.', 'Passt schon, denke ich.', 'Wahrscheinlich ja.', 'Ja, vermutlich.', 'Ja klar, als ob.'],
  ],
  ['French', ['oui, je crois', 'je pense que oui', 'oui, probablement', 'je suppose que oui']],
  ['Portuguese', ['sim, acho', 'creio que sim', 'sim, provavelmente', 'suponho que sim']],
  ['Spanish', ['sí, creo', 'creo que sí', 'sí, probablemente', 'me imagino que sí']],
])('a yes that is only a guess is hedged in %s, so that no model takes it for consent', (name, guesses) => {
  for (const words of guesses) expect([words, readerOf.get(name)?.consent(words, '').isHedged]).toEqual([words, true]);
});
