import { germanForms, questionPairs } from './verb-forms.ts';
import type { AnswerWords, QuestionWords } from '../tables/tables.ts';

export const answers: AnswerWords = {
  yes: `
    ja, genau, stimmt, das stimmt, richtig, das ist richtig, korrekt, das ist korrekt, passt, das passt, passt so, passt schon,
    passt mir gut, passt mir, in ordnung, ist in ordnung, geht in ordnung, alles klar, okay, ok, gut, sehr gut, gerne, gern, na klar,
    klar, natürlich, selbstverständlich, auf jeden fall, sicher, sicherlich, mit sicherheit, mache ich, jawohl, jo, jap, jep,
    machen sie das, machen wir so, so machen wir das, einverstanden, ich bin einverstanden, perfekt, super, prima, wunderbar, toll,
    doch, freilich, so ist es, das ist so richtig, bestätigt, ich bestätige, das bestätige ich, das wäre toll, das wäre gut,
    das klingt gut, klingt gut, hört sich gut an, meinetwegen, von mir aus, mhm, kein problem, warum nicht,
    machen sie, ist gut, das ist gut`,
  no: `
    keine, keinen, keins, nein, nee, nö, nie, niemals, das glaube ich nicht, nicht wirklich, bloß nicht, lass mal, nicht, bitte nicht, auf keinen fall,
    auf gar keinen fall, keinesfalls, das stimmt nicht, stimmt nicht, falsch, das ist falsch, das ist nicht richtig, nicht richtig,
    leider nein, leider nicht, lieber nicht, ich möchte nicht, das möchte ich nicht, das will ich nicht, ich will nicht, passt nicht,
    das passt nicht, das passt mir nicht, passt mir nicht, passt leider nicht, das geht nicht, geht nicht, das geht leider nicht,
    stornieren, stornieren sie das, abbrechen, lassen sie das, lassen sie es, lassen wir das, vergessen sie es, vergessen sie das,
    natürlich nicht, kein interesse, brauche ich nicht, nicht nötig, eher nicht, ich glaube nicht, gar nicht, überhaupt nicht,
    kein bedarf, sicher nicht, absolut nicht, das ist nicht korrekt, machen sie das nicht,
    lassen sie mal, lassen sie s, lassen wir s, lassen wir es, lass es, lass das, lass gut sein, lass es gut sein, lassen sie gut sein,
    lassen sie es gut sein, lassen wir es gut sein, vergessen sie s, vergessen wir es, vergessen wir das, vergiss es, vergiss das,
    dann nicht, dann eben nicht, dann lieber nicht, dann doch nicht, doch nicht, doch lieber nicht, besser nicht, heute nicht, nicht mehr,
    ich will nicht mehr, ich möchte nicht mehr, ich hab s mir anders überlegt, ich habe es mir anders überlegt, hat sich erledigt,
    das hat sich erledigt, sparen sie sich das, muss nicht sein, das muss nicht sein`,
  weak: 'okay, ok, gut, sehr gut, mhm, alles klar, klar, ist gut, das ist gut',
  partialYes: '',
  subjects: '',
  partialNo: 'keine, keinen, keins, nicht, nie, niemals, stornieren, abbrechen',
  hearing: /^(?:ge)?hör(?:e|en|t|st|te)?$|^verst(?:eh|and|ünd)|^mitbekommen$|^mitgekriegt$|^kapier/u,
  leaving:
    'lassen sie es, lassen sie das, lassen sie s, lassen wir es, lassen wir das, lassen wir s, lass es, lass das, lass mal, lassen sie mal',
  refusing:
    'geht das nicht, passt das nicht, passt es nicht, geht es nicht, kann ich nicht, ich kann nicht, kann nicht, möchte ich nicht, will ich nicht, bin nicht einverstanden, bin ich nicht einverstanden, nicht einverstanden, lieber nicht, kommt nicht in frage, mag ich nicht',
  asking: `
    was, wie, wann, wo, wohin, woher, wer, wen, wem, warum, wieso, weshalb, welche, welcher, welches, welchen, wieviel,
    ${questionPairs('ist sind war waren hat haben hätten habe kann können könnte könnten darf dürfen muss müssen soll sollen wird werden würde würden gibt geht ginge kostet bin', 'es das ich sie er wir ihr man du der die ein eine mein meine noch dass denn da')}`,
  negations: 'nicht nichts kein keine keinen keinem keiner nie niemals nein nee ohne weder',
  objections:
    'einwand einwände einwänden dagegen problem probleme schlecht übel verkehrt falsch zweifel frage ahnung vorliebe idee sorge sorgen eile egal',
  circumstance:
    /^(?:zu|für|mit|bei|um|an|in|unter|auf) (?:de[mnr]|das|diese[mnrs]?|solche[mnrs]?|so (?:ein|einem|einen|einer|eine)|jene[mnrs]?)(?= )/u,
  plainNo: 'nein nee nö',
  not: 'nicht kein keine keinen',
  contrasting: 'sondern',
  filling:
    'bitte, danke, vielen dank, danke schön, dankeschön, sehr, ach, oh, na, na ja, naja, also ja, doch ja, so, dann, ganz, das, schön, schon gut, ist schon gut',
  conditions: `
    aber, wenn, nur, falls, sofern, außer, vielleicht, weiß nicht, ich weiß nicht, weiß ich nicht, nicht sicher, kommt drauf an,
    kommt darauf an, moment, warten, warten sie, noch nicht, später, nachher, erst, zuerst, vorher, bevor, nachdem, was, wie, wann, wo,
    wer, warum, welche, welcher, oder, ja und nein, weder ja noch nein, lieber am, lieber um, lieber an, statt, sondern, ändern,
    glaube ich, ich glaube, denke ich, ich denke, wahrscheinlich, vermutlich, nehme ich an, ich nehme an, schätze ich, als ob,
    entschuldigung, bedingung, es sei denn, solange, eventuell, eigentlich, schon aber, hm, mal sehen, überlege, morgen, auch, anders,
    andere`,
  greetings:
    'hallo, guten tag, guten morgen, guten abend, grüß gott, moin, servus, wie geht es ihnen, verstehe, verstanden, aha',
  hesitations: 'äh ähm öh hm mm',
  unfinished: 'so und also dann',
  repeat: `
    ich höre sie nicht, ich hör sie nicht, ich höre nichts, ich höre sie schlecht, ich kann sie nicht hören, ich kann nichts hören,
    wie bitte, bitte, was, was haben sie gesagt, wie, entschuldigung, entschuldigen sie, verzeihung, noch einmal, nochmal, noch mal,
    bitte noch einmal, wiederholen, können sie das wiederholen, können sie das bitte wiederholen, können sie das noch einmal sagen,
    könnten sie das wiederholen, könnten sie das bitte wiederholen, könnten sie das noch einmal sagen, bitte wiederholen sie das,
    wiederholen sie das, sagen sie das noch einmal, das habe ich nicht verstanden, ich habe sie nicht verstanden,
    ich habe das nicht verstanden, ich habe nicht verstanden, nicht verstanden, ich verstehe sie nicht, die frage`,
  repeatValue: `
    wie viel noch mal, wie viel nochmal, wie viel war das, wie viel war das noch, wie viel war das noch mal, wann war das noch
    mal, wann noch mal, was kostet das noch mal, den preis noch mal, wiederholen sie den preis, können sie den preis wiederholen`,
  patience: `
    moment, einen moment, einen moment bitte, moment mal, augenblick, einen augenblick, sekunde, eine sekunde, eine minute, warten sie,
    warte, warten sie kurz, warten sie mal, warten sie einen moment, kleinen moment, lassen sie mich nachsehen, ich schaue nach,
    ich schaue mal, ich sehe nach, mal sehen`,
  adding: 'aber und',
  keeping:
    'das gleiche, dasselbe, der gleiche, derselbe, den gleichen, denselben, die gleiche, dieselbe, der gleiche tag, derselbe tag, gleich, wie vorher, wie bisher, wie gehabt, so lassen, lassen sie es so, lassen sie es, lass es so, lass es, bleibt so, bleibt wie es ist, das bleibt so, es bleibt dabei, dabei bleiben, bleiben wir dabei, ich bleibe dabei, unverändert, nichts ändern, behalten, behalten sie es, keine änderung',
  articles: 'ein eine einen einem einer',
  leading:
    'es ist, das ist, ist, es, der, die, den, am, für, zu, mein, meine, das wäre, ich hätte gern, ich möchte, also',
  takingBack:
    'eigentlich, tatsächlich, moment, moment mal, einen moment, augenblick, warten sie, warten sie mal, warte, warte mal, halt, stopp, stop, entschuldigung, entschuldigen sie, verzeihung, sorry, pardon, ich meine, ich meinte, ich wollte sagen, quatsch, vielmehr, besser gesagt, doch lieber, mein fehler, ich habe mich vertan, ich habe mich versprochen',
};

export const questions: QuestionWords = {
  open: 'was wie wann wo wohin woher wer wen wem wessen warum wieso welche welcher welches welchen wieviel wieviele sagen nennen geben buchstabieren wiederholen',
  or: 'oder',
  orNot: 'nicht nein',
  reversed: 'stört es sie, stört sie, macht es ihnen etwas aus, haben sie etwas dagegen, hätten sie etwas dagegen',
  conjunctions: 'und aber weil denn oder sonst',
  verbs: {
    introducing:
      'soll ich, sollen wir, darf ich, dürfen wir, kann ich, können wir, könnte ich, möchten sie, möchtest du, wollen sie, willst du, wünschen sie, soll das, soll der, soll die, soll es, ich werde, wir werden, ich würde, dass ich, dass wir, wenn ich, sind sie sicher',
    between: '',
    place: 'last',
    bare: /^(?!.*\b(?:ist|sind|haben|wie|was|wann|wo|wer)\b).*\p{L}{3,}(?:en|ern|eln)$/u,
    forms: germanForms,
    regular: (word) => word.replace(/^ge(?=\p{L}{3,}t$)/u, ''),
    leading:
      'ich möchte, ich möchte es, ich möchte das, ich möchte ihn, ich möchte sie, ich will, ich will es, ich will das, sie können, sie sollen, wir wollen, wir möchten, ich würde, sie dürfen',
    objects: 'es das den ihn sie dies alles mir uns',
  },
  inviting:
    'sagen sie, nennen sie, geben sie, buchstabieren sie, beschreiben sie, wählen sie, wiederholen sie, bestätigen sie, sprechen sie, können sie, könnten sie',
  agrees:
    'stimmt zu, zustimmt, bestätigt, sagt ja, einverstanden, will weitermachen, möchte weitermachen, bereit, ist richtig, akzeptiert, nimmt an',
  refuses:
    'lehnt ab, ablehnt, stimmt nicht zu, nicht zustimmt, sagt nein, nicht einverstanden, will nicht, möchte nicht, verneint, weigert sich, ist nicht richtig, nicht bereit',
  choosing:
    'erste ersten zweite zweiten dritte dritten letzte letzten diese diesen dieser dieses den die das ja okay gut gerne passt egal',
  frequent:
    'der die das und ist ich sie es in zu den mit auf für nicht ein eine von dem dass mein meine wir haben hätte möchte bitte danke guten tag',
};
