import { iberianForms, regularIberian } from '../tables/iberian-verbs.ts';
import type { AnswerWords, QuestionWords } from '../tables/tables.ts';

export const answers: AnswerWords = {
  yes: `
    sim, claro, claro que sim, com certeza, certo, tá certo, está certo, tudo certo, está tudo certo, está correto, correto, isso,
    isso mesmo, é isso, é isso aí, é isso mesmo, exato, exatamente, perfeito, ótimo, tá bom, está bom, tá bem, está bem, tudo bem,
    beleza, ok, okay, pode ser, pode, pode sim, pode fazer, pode confirmar, pode prosseguir, pode seguir, confirmo,
    confirmado, de acordo, concordo, combinado, fechado, vamos lá, vamos fazer assim, por mim tudo bem, positivo, sem dúvida, lógico,
    aham, uhum, é, é sim, quero, quero sim, maravilha, muito bem, faça isso, sem problema, não tem problema, não há problema,
    por que não, tá`,
  no: `
    nenhum, nenhuma, não, não quero, não quero não, de jeito nenhum, de modo nenhum, de maneira nenhuma, claro que não, nem pensar, não está certo,
    está errado, tá errado, errado, incorreto, não é isso, não é, não pode, cancela, cancele, pode cancelar, cancelar, deixa pra lá,
    deixa, esquece, esqueça, melhor não, prefiro que não, prefiro não, não precisa, não é necessário, não faça, não faça isso,
    não faz isso, negativo, não me serve, não dá, não posso, não tenho interesse, nada disso, acho que não, não acho, não confirmo, nunca,
    deixe, deixe para lá, deixe pra lá, deixa para lá, deixe estar, deixa estar, hoje não, mudei de ideia, mudei de ideias,
    não vale a pena, já não quero, não quero mais, pensando bem não, não se incomode`,
  partialYes: 'é, isso, é isso',
  subjects: 'isso isto esse essa esses essas este eu nós você vocês já prefiro obrigado obrigada',
  partialNo: 'nenhum, nenhuma, não, nunca, não é, não dá, não acho',
  hearing: /^ou[cv]|^oi[cç]o$|^escut|^ent(?:end)|^perceb|^compreend/u,
  leaving: 'deixa, deixe',
  weak: 'ok, okay, tá, tá bom, tá bem, certo, tudo bem, aham, uhum, beleza, está bem, tá certo',
  refusing:
    'não gosto, não me convém, não preciso, não me interessa, não quero, não posso, não concordo, não dá, prefiro não, prefiro que não, melhor não, não me serve, não estou de acordo, não vou',
  asking:
    'que, qual, quais, quando, como, onde, quem, quanto, quanta, quantos, quantas, por que, por quê, o que, será que, pode explicar, pode me explicar, pode dizer, pode me dizer, pode repetir, você pode, posso, poderia, dá para, dá pra, tem como, tem, é possível, a que, de que, vocês têm',
  negations: 'não nunca jamais nem nada nenhum nenhuma ninguém sem',
  objections:
    'objeção objeções inconveniente problema problemas contra mal mau errado dúvida dúvidas ideia preferência importa pressa',
  circumstance:
    /^(?:a|por|com|em|sob) (?:ess[ea]s?|isso|est[ea]s?|isto|tal|tais)(?!\p{L})|^(?:ness[ea]s?|nisso|nest[ea]s?|nisto|dess[ea]s?|disso|assim)(?!\p{L})/u,
  plainNo: 'não',
  not: 'não',
  contrasting: 'mas senão',
  filling:
    'por favor, faz favor, obrigado, obrigada, muito obrigado, muito obrigada, senhor, senhora, ah, oh, então, pois, moça, moço',
  conditions: `
    mas, se, só, só se, somente, apenas, exceto, menos, talvez, não sei, não tenho certeza, depende, espera, espere, um momento,
    ainda, ainda não, agora não, depois, mais tarde, antes, primeiro, quando, como, quanto, qual, onde, quem, por quê, o que, ou,
    melhor na, melhor no, melhor às, mudar, trocar, desculpa, desculpe, desde que, a menos que, caso, sim e não, nem sim nem não,
    amanhã, acho, creio, suponho, imagino, provavelmente, vamos ver, embora, outro, outra`,
  greetings: 'olá, oi, alô, bom dia, boa tarde, boa noite, como vai, entendi, entendo, estou vendo',
  hesitations: 'eh hm hum mm ahn hã',
  unfinished: 'e então pois',
  repeat: `
    não ouço, não te ouço, não o ouço, não a ouço, não ouço nada, não estou ouvindo, não estou a ouvir, não estou te ouvindo, não consigo ouvir, não estou escutando,
    como, como assim, perdão, desculpe, desculpa, o quê, oi, como disse, o que disse, o que você disse, o que o senhor disse,
    o que a senhora disse, pode repetir, pode repetir isso, poderia repetir, você pode repetir, repita, repete, repetir, a pergunta,
    de novo, mais uma vez, outra vez, não entendi, não ouvi, não escutei, não compreendi, não percebi`,
  repeatValue: `
    quanto era, quanto era mesmo, quanto mesmo, quanto é mesmo, quanto custa mesmo, quanto disse, quando mesmo, quando era, que dia era, pode
    repetir o preço, repete o preço`,
  patience: `
    um momento, um momentinho, só um momento, só um momentinho, só um minutinho, só um instante, um instante, um minuto, um minutinho, só um minuto, um segundo, só um segundo, espera,
    espere, espera aí, peraí, espere um momento, espera um momento, deixa eu ver, deixe-me ver, deixa eu pensar, aguarde, já vejo`,
  adding: 'mas e',
  keeping:
    'o mesmo, a mesma, os mesmos, a mesma coisa, o mesmo dia, a mesma data, igual, igual antes, como antes, como estava, como está, deixe assim, deixa assim, deixe como está, deixa como está, pode deixar, mantenha, mantém, manter, sem mudança, sem mudanças, nenhuma mudança, não muda, não mude, fica assim, fica igual',
  articles: 'um uma uns umas',
  leading: 'é, são, o, a, os, as, para, pra, meu, minha, seria, no dia, que, quero, queria, gostaria, então',
  takingBack:
    'na verdade, afinal, no fim, espere, espera, espera aí, peraí, um momento, só um momento, um segundo, desculpe, desculpa, me desculpe, perdão, quer dizer, quis dizer, eu quis dizer, queria dizer, aliás, digo, ou melhor, melhor dizendo, me enganei, errei, engano meu',
};

export const questions: QuestionWords = {
  open: 'que qual quais quando como onde quem quanto quanta quantos quantas dizer dar informar soletrar repetir',
  or: 'ou',
  orNot: 'não',
  reversed: 'se importa, você se importa, importa se, incomoda',
  conjunctions: 'e mas porque pois senão',
  verbs: {
    introducing:
      'posso, podemos, devo, devemos, quer que eu, quer que a gente, quer que, deseja que eu, deseja que, gostaria que eu, gostaria que, gostaria de, prefere que eu, deseja, quer, você quer, aceita, vou, vamos, tudo bem se eu, tem certeza que quer, tem certeza de que quer, confirma que quer, o senhor quer, a senhora quer',
    between: 'eu o a os as lhe me se já que agora então de você te nos',
    place: 'next',
    bare: /^\p{L}{3,}(?:o|amos|emos|imos|ar|er|ir)$/u,
    forms: iberianForms,
    regular: regularIberian,
    leading: 'quero, quero que, quero sim, queria, gostaria de, desejo, pode, pode sim, podem, por favor pode',
    objects: 'o a os as isso ele ela',
  },
  inviting:
    'diga, diga-me, me diga, me dê, dê-me, me informe, informe, soletre, descreva, escolha, fale, repita, confirme, pode me, poderia me',
  agrees:
    'aceita, concorda, confirma, diz que sim, quer continuar, deseja continuar, está pronto, está pronta, está de acordo, está correto',
  refuses:
    'recusa, não aceita, não concorda, não confirma, diz que não, não quer, não deseja, não está de acordo, prefere não, não está correto, nega',
  choosing:
    'primeiro primeira segundo segunda terceiro terceira último última esse essa este esta isso qualquer sim bom ótimo perfeito',
  frequent:
    'o a os as de do da que e é em um uma para com não por no na eu você meu minha mas como está tenho quero olá obrigado bom dia favor',
};
