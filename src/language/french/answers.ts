import { frenchForms } from './verb-forms.ts';
import type { AnswerWords, QuestionWords } from '../tables/tables.ts';

export const answers: AnswerWords = {
  yes: `
    oui, mais oui, ouais, bien sûr, bien sûr que oui, d'accord, ok, okay, c'est ça, c'est bien ça, exactement, exact, tout à fait,
    c'est exact, c'est correct, correct, c'est juste, juste, c'est bon, tout est bon, c'est bon pour moi, ça marche, ça me va,
    ça me va très bien, ça me convient, parfait, très bien, volontiers, avec plaisir, absolument, certainement, évidemment, entendu,
    allez-y, vous pouvez y aller, faites-le, faites, je confirme, c'est confirmé, confirmé, je suis d'accord, pourquoi pas,
    impeccable, super, génial, voilà, en effet, effectivement, sans problème, pas de problème, aucun problème, si si, si, affirmatif,
    bien entendu, sans souci, pas de souci, nickel`,
  no: `
    aucun, aucune, non, nan, pas du tout, pas question, pas vraiment, pas moyen, absolument pas, bien sûr que non, certainement pas, surtout pas,
    je ne veux pas, je veux pas, j'en veux pas, laissez tomber, laissez, ce n'est pas ça, c'est pas ça, ce n'est pas correct,
    ce n'est pas exact, c'est faux, c'est incorrect, faux, incorrect, annulez, plutôt pas, je préfère pas, je ne préfère pas,
    je préfère que non, ça ne me va pas, ça me va pas, ça ne marche pas, ce n'est pas possible, pas possible, impossible,
    ce n'est pas la peine, pas besoin, pas la peine, hors de question, jamais, jamais de la vie, je ne pense pas, je pense pas,
    je crois pas, je ne crois pas, pas ça, oubliez, tant pis, ça ne m'intéresse pas, ça m'intéresse pas, négatif, pas aujourd'hui,
    laisse tomber, oublie, oublie ça, oubliez ça, plus maintenant, j'ai changé d'avis, je ne veux plus, je n'en veux plus,
    mieux vaut pas, il vaut mieux pas, vaut mieux pas, finalement non, finalement pas`,
  partialYes: '',
  subjects: '',
  partialNo: 'aucun, aucune, jamais, faux',
  hearing: /^entend(?!u$)|^(?:compr|sais)(?:is$|end)|^entendu$/u,
  leaving: `laissez`,
  weak: `ok, okay, voilà, très bien, super, entendu, c'est bon, correct`,
  refusing: `je ne veux pas, je veux pas, je ne peux pas, je peux pas, je préfère ne pas, je préfère pas, je préférerais ne pas, je ne préfère pas, ça ne me va pas, ça ne va pas, ne me convient pas, je ne suis pas d'accord, je suis pas d'accord, pas d'accord, ça ne marche pas, plutôt pas, sans façon`,
  asking: `quand, comment, combien, quel, quelle, quels, quelles, où, qui, pourquoi, qu'est-ce que, qu'est-ce qui, est-ce que, est-ce qu, est-ce, puis-je, peut-on, avez-vous, pouvez-vous, pourriez-vous, êtes-vous, y a-t-il, dois-je, faut-il, quoi, à quelle, c'est quand, c'est combien, c'est où, ça coûte`,
  negations: 'pas ne n non jamais rien aucun aucune personne ni sans',
  objections:
    'objection objections inconvénient inconvénients problème problèmes souci soucis contre mal mauvais faux doute doutes idée préférence grave importe presse',
  circumstance:
    /^(?:a|pour|avec|dans|sous|en|de|sur) (?:ce|cet|cette|ces|tel|telle|tels|telles)(?= )|^(?:comme|pour) (?:ca|cela)(?!\p{L})/u,
  plainNo: 'non',
  not: 'pas non sans',
  contrasting: 'mais',
  filling:
    "s'il vous plaît, s'il te plaît, merci, merci beaucoup, monsieur, madame, oh, ah, ben, bah, mais oui, mais non, bon, eh bien, alors, très",
  conditions: `
    mais, si c'est, si ce, si vous, si on, si possible, si je, si elle, si ça, s'il pleut, s'il y, seulement, que si, sauf, excepté,
    peut-être, je ne sais pas, je sais pas, pas sûr, ça dépend, dépend, attendez, un instant, une seconde, un moment, pas encore,
    pas tout de suite, plus tard, après, avant, d'abord, quand, comment, combien, quel, quelle, où, qui, pourquoi, qu'est-ce que, ou,
    plutôt le, plutôt la, plutôt à, changer, pardon, excusez, à condition, à moins, oui et non, ni oui ni non, il faut que, tant que,
    je crois, je pense, je suppose, j'imagine, probablement, éventuellement, on verra, enfin, demain, et ensuite, autre`,
  greetings: 'bonjour, bonsoir, salut, allô, comment allez-vous, je comprends, compris, je vois',
  hesitations: 'euh heu hm hum mm',
  unfinished: 'et alors',
  repeat: `
    je n'entends rien, j'entends rien, je n'entends pas, j'entends pas, je n'entends pas bien, je vous entends mal, je ne vous entends pas bien,
    comment, pardon, quoi, excusez-moi, vous dites, vous disiez, qu'est-ce que vous dites, qu'avez-vous dit, qu'est-ce que vous avez dit,
    pouvez-vous répéter, vous pouvez répéter, pourriez-vous répéter, répétez, répéter, la question, encore une fois, une fois de plus,
    je n'ai pas compris, j'ai pas compris, je n'ai pas entendu, j'ai pas entendu, je ne vous ai pas compris, je ne vous entends pas,
    je ne comprends pas, désolé, désolée`,
  repeatValue: `
    c'est combien déjà, combien déjà, c'était combien, c'était combien déjà, vous avez dit combien, c'est quand déjà, quand
    déjà, répétez le prix, vous pouvez répéter le prix, pouvez-vous répéter le prix`,
  patience: `
    un instant, un moment, un petit moment, une seconde, une minute, deux secondes, deux minutes, attendez, attends, attendez un instant,
    attendez un moment, attendez une seconde, laissez-moi voir, laissez-moi regarder, laissez-moi réfléchir, je regarde, je vérifie, patientez`,
  adding: 'mais et',
  keeping:
    "le même, la même, les mêmes, le même jour, la même date, pareil, la même chose, comme avant, laissez, laissez comme ça, laisse comme ça, laissez comme c'est, on garde, gardez, gardez ça, gardez-le, gardez-la, on ne change rien, ne changez rien, inchangé, inchangée, ça reste, ça ne change pas, rien ne change, aucun changement",
  articles: 'un une des du d',
  leading: "c'est, ce serait, le, la, les, l, pour, à, au, mon, ma, je suis, je voudrais, donc, alors, plutôt, disons",
  takingBack:
    "en fait, finalement, attendez, attends, attendez un instant, un instant, un moment, une seconde, pardon, excusez-moi, excuse-moi, désolé, désolée, je suis désolé, je suis désolée, je veux dire, je voulais dire, ou plutôt, je me suis trompé, je me suis trompée, je me trompe, c'est une erreur",
};

export const questions: QuestionWords = {
  open: 'que quoi quel quelle quels quelles quand comment où qui pourquoi combien dire donner épeler répéter indiquer',
  or: 'ou',
  orNot: 'pas non',
  reversed: 'ça vous dérange, cela vous dérange, ça vous ennuie, y voyez vous un inconvénient, vous dérange',
  conjunctions: 'et mais car donc alors parce',
  verbs: {
    introducing: `voulez-vous que je, voulez-vous que j, voulez-vous que nous, voulez-vous qu'on, vous voulez que je, vous voulez que j, souhaitez-vous que je, souhaitez-vous que j, voulez-vous, vous voulez, souhaitez-vous, vous souhaitez, désirez-vous, aimeriez-vous, dois-je, puis-je, peut-on, pouvons-nous, est-ce que je dois, est-ce que je peux, est-ce que je, est-ce que j, faut-il, je peux, je dois, je vais, je, j, acceptez-vous de, êtes-vous sûr de vouloir, êtes-vous sûre de vouloir, si je, si j`,
    between: 'le la les l vous nous me y en te s maintenant bien alors donc de d',
    place: 'next',
    bare: /^\p{L}{3,}(?:er|ir|re)$/u,
    forms: frenchForms,
    regular: (word) => word,
    leading: `je veux, je veux bien, je voudrais, je souhaite, j'aimerais, vous pouvez, veuillez, je veux l, je veux le, je veux la, oui je veux`,
    objects: 'le la les l vous moi',
  },
  inviting:
    'dites-moi, donnez-moi, indiquez, indiquez-moi, épelez, décrivez, choisissez, dites, répétez, confirmez, pouvez-vous, pourriez-vous, allez-y',
  agrees:
    "accepte, est d'accord, confirme, dit oui, veut continuer, souhaite continuer, est prêt, est prête, c'est exact",
  refuses:
    "refuse, n'accepte pas, n'est pas d'accord, pas d'accord, ne confirme pas, dit non, ne veut pas, ne souhaite pas, décline, préfère ne pas",
  choosing:
    'premier première deuxième second seconde troisième dernier dernière celui celle ça oui bien parfait accord importe',
  frequent:
    "le la les de des du et à un une est je vous il elle que qui pour dans en pas ne c j l mon ma avec sur bonjour merci oui non s'il plaît voudrais",
};
