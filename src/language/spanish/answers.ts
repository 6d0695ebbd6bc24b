import { iberianForms, regularIberian } from '../tables/iberian-verbs.ts';
import type { AnswerWords, QuestionWords } from '../tables/tables.ts';

export const answers: AnswerWords = {
  yes: `
    sí, si, sip, en efecto, efectivamente, suena bien, entendido, acepto, correcta, claro, claro que sí, por supuesto, vale, de acuerdo,
    correcto, eso es, eso mismo, exacto, exactamente, así es, perfecto, muy bien, está bien, bueno, bien, dale, adelante, hágalo, hazlo,
    me parece bien, me parece perfecto, me va bien, me viene bien, es correcto, está correcto, todo correcto, confirmado, lo confirmo,
    confirmo, ok, okey, okay, desde luego, sin duda, seguro, cómo no, pues sí, pues claro, venga, justo, ajá, genial, estupendo,
    encantado, encantada, con mucho gusto, por mí bien, afirmativo, listo, puede seguir, puede hacerlo, puede continuar, siga,
    no hay problema, sin problema, ningún problema, por qué no`,
  no: `
    ninguno, ninguna, no, qué va, para nada, de ninguna manera, en absoluto, ni hablar, no quiero, no lo quiero, no lo haga, déjelo, mejor no,
    prefiero que no, no es correcto, está mal, incorrecto, eso no es, eso no, claro que no, por supuesto que no, no me interesa,
    no me va bien, no me viene bien, no puedo, cancélelo, cancele, cancelar, olvídelo, no hace falta, no es necesario, nada, que no,
    negativo, tampoco, no creo, así no, falso, mal, nunca, jamás, realmente no, no lo creo, no creo que sea correcto, no está bien,
    no es así, no lo reserve, no me sirve, olvídalo, olvídese, olvídate, déjalo, dejémoslo, vamos a dejarlo, dejémoslo estar,
    hoy no, ya no, ya no quiero, ya no lo quiero, he cambiado de idea, cambié de idea, he cambiado de opinión, cambié de opinión,
    no se moleste, no te molestes, paso, pensándolo bien no`,
  partialYes: 'eso es, así es',
  subjects: 'eso esto ese esa esos esas este yo nosotros nosotras usted ustedes ya prefiero gracias',
  partialNo: 'ninguno, ninguna, no, nada, nunca, jamás, tampoco, mal, falso',
  hearing: /^(?:oi|oig|oy)(?:go|o|e|es|en|do|r|mos)?$|^escuch|^ent(?:iend|end)|^comprend/u,
  leaving: 'déjelo, déjalo, dejémoslo, vamos a dejarlo, paso',
  weak: 'vale, bueno, bien, ok, okey, okay, ajá, entendido, listo',
  refusing:
    'no me gusta, no me conviene, no lo necesito, no quiero, no puedo, no me va, no me viene, no me interesa, no estoy de acuerdo, prefiero que no, mejor no, déjelo, déjalo, olvídelo, olvídalo',
  asking:
    'qué, cuál, cuáles, cuándo, cómo, dónde, adónde, quién, quiénes, cuánto, cuánta, cuántos, cuántas, por qué, es posible, se puede, puedo, podría, puede usted, hay que, a qué, de qué, para qué, con qué, tienen',
  negations: 'no nunca jamás tampoco nada ningún ninguna ninguno nadie ni sin',
  objections:
    'objeción objeciones inconveniente inconvenientes problema problemas contra mal falso duda dudas idea preferencia importa prisa pega',
  circumstance: /^(?:a|por|con|en|de|bajo) (?:es[eao]s?|est[eao]s?|tal|tales)(?!\p{L})|^asi(?!\p{L})/u,
  plainNo: 'no',
  not: 'no',
  contrasting: 'sino',
  filling:
    'por favor, gracias, muchas gracias, señor, señora, señorita, oh, ah, pues, entonces, muy amable, lo, todo, puede, ya',
  conditions: `
    pero, si es, si no, si se, si puede, si hay, si cuesta, si me, si te, si el, si la, si lo, si tengo, si tiene, si está, sino, solo,
    solamente, excepto, salvo, menos, quizás, quizá, tal vez, a lo mejor, depende, espere, espera, un momento, todavía, aún, aún no,
    luego, después, más tarde, antes, cuando, cómo, qué, cuánto, cuál, dónde, quién, o, mejor el, mejor la, mejor a, cambio, perdón,
    siempre que, con tal, a menos que, primero, no sé, no lo sé, no estoy seguro, no estoy segura, sí y no, mañana, a ver, supongo,
    creo, me imagino, imagino, probablemente,
    y si, aunque, otro, otra, ni sí ni no`,
  greetings: 'hola, buenas, buenos días, buenas tardes, buenas noches, qué tal, entiendo, ya veo',
  hesitations: 'eh ehm este mm hm um',
  unfinished: 'y pues entonces',
  repeat: `
    no le oigo, no te oigo, no la oigo, no lo oigo, no oigo, no oigo nada, no le oigo bien, no se oye, no se oye nada, no se oye bien, no le escucho bien,
    cómo, perdón, perdone, disculpe, qué, cómo dice, qué dice, qué ha dicho, qué dijo, puede repetir, puede repetirlo, me lo puede repetir,
    puede repetírmelo, podría repetir, podría repetirlo, repita, repítalo, otra vez, una vez más, de nuevo, no le he oído, no le oí, no le escucho,
    no le escuché, no he entendido, no entendí, no le he entendido, no le entendí, puede decirlo otra vez, la pregunta, eso`,
  repeatValue: `
    cuánto era, cuánto otra vez, cuánto dijo, cuánto ha dicho, cuándo era, cuándo dijo, qué día era, repita el precio, puede
    repetir el precio, repita la fecha`,
  patience: `
    un momento, un momentito, un segundo, un segundito, un minuto, espere, espera, espere un momento, espera un momento, deme un momento,
    deme un segundo, deme un minuto, déjeme ver, déjame ver, déjeme mirar, déjeme pensar, a ver, ahora mismo`,
  adding: 'pero y',
  keeping:
    'el mismo, la misma, los mismos, lo mismo, el mismo día, la misma fecha, igual, igual que antes, como antes, como estaba, como está, déjelo así, déjalo así, dejarlo así, déjelo como está, déjalo como está, déjelo, déjalo, manténgalo, mantenlo, sin cambios, ningún cambio, no cambia, no lo cambie, no lo cambies, que se quede así, se queda así',
  articles: 'un una unos unas',
  leading: 'es, son, el, la, los, las, para, a, mi, sería, el día, que, digo, quiero, quisiera, me gustaría',
  takingBack:
    'en realidad, al final, espere, espera, espere un momento, espera un momento, un momento, un segundo, perdón, perdone, perdona, disculpe, disculpa, lo siento, mejor dicho, digo, quiero decir, quería decir, quise decir, me he equivocado, me equivoqué, error mío',
};

export const questions: QuestionWords = {
  open: 'qué cuál cuáles cuándo cómo dónde adónde quién quiénes cuánto cuánta cuántos cuántas dime dígame decir darme decirme repetir deletrear',
  or: 'o u',
  orNot: 'no',
  reversed: 'le importa, le importaría, te importa, le molesta, tiene inconveniente, tiene algún inconveniente',
  conjunctions: 'y pero porque pues sino',
  verbs: {
    introducing:
      'quiere que, quieres que, desea que, deseas que, le gustaría que, te gustaría que, prefiere que, necesita que, le parece bien que, le parece si, está seguro de que quiere, está segura de que quiere, de acuerdo con que, puedo, podemos, debo, debería, desea, deseas, quiere, quieres, acepta, voy a, vamos a, confirma que quiere, quiere usted, desea usted, quiere usted que',
    between: 'lo la los las le les se me nos te yo ya que a ahora entonces usted pues',
    place: 'next',
    bare: /^\p{L}{3,}(?:o|amos|emos|imos|ar|er|ir)$/u,
    forms: iberianForms,
    regular: regularIberian,
    leading: 'quiero, quiero que, quiero que me, quisiera, deseo, me gustaría, puede, puedes, lo puede, sí que quiero',
    objects: 'lo la los las',
  },
  inviting:
    'dígame, dime, deme, dame, indíqueme, cuénteme, deletree, deletréeme, describa, elija, escoja, diga, repita, confirme, adelante, puede, podría, me puede',
  agrees:
    'acepta, está de acuerdo, confirma, dice que sí, quiere seguir, quiere continuar, está listo, está lista, es correcto',
  refuses:
    'rechaza, no acepta, no está de acuerdo, no confirma, dice que no, no quiere, se niega, prefiere no, no es correcto',
  choosing:
    'primero primera segundo segunda tercero tercera último última ese esa este esta aquel aquella cualquiera eso sí vale bien perfecto',
  frequent:
    'el la los las de del que y a en un una es por con para no se lo le me mi su al como más pero este esta tengo quiero hola sí buenos días gracias',
};
