import { describe, expect, test } from 'vitest';
import type { UserTurn } from '../../src/model/signals/signal.ts';
import { noInputMsOf } from '../../src/kernel/question/silence.ts';
import type { TaskAnswer } from '../../src/kernel/wait/task-question.ts';
import { readChoice } from '../../src/engine/words/read-choice.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

interface Gate {
  readonly language: string;
  readonly prompt: string;
  readonly choices: readonly string[];
  readonly takesText?: boolean | undefined;
}

const gates: Record<'en' | 'de' | 'es' | 'fr' | 'pt', Gate> = {
  en: { language: 'en', prompt: 'Shall I release the payment?', choices: ['release', 'reject'] },
  de: { language: 'de', prompt: 'Soll ich die Zahlung freigeben?', choices: ['freigeben', 'ablehnen'] },
  es: { language: 'es', prompt: '¿Apruebo ahora mismo el pago de la factura?', choices: ['aprobar', 'rechazar'] },
  fr: { language: 'fr', prompt: 'Est-ce que je dois approuver la facture ?', choices: ['approuver', 'refuser'] },
  pt: { language: 'pt', prompt: 'Devo aprovar a fatura?', choices: ['aprovar', 'recusar'] },
};

/** A conversation in which a task has just asked, and the caller has heard this part of its line. */
function asked(gate: Gate = gates.en, hears?: string) {
  const { language, prompt, choices } = gate;
  const takesText = 'takesText' in gate ? gate.takesText : false;
  const graph = graphOf({
    language,
    initialNode: 'ask',
    nodes: {
      ask: { type: 'control.gate', input: { prompt, choices: [...choices] }, defaultTransition: 'bye' },
      bye: { say: 'Goodbye.', end: true },
    },
  });
  const call = conversation(graph);
  call.start();
  let count = 0;
  const more = takesText === undefined ? {} : { takesText };
  const ask = (): void =>
    void call.send({
      type: 'task:asked',
      at: noon,
      key: `s/asked/${(count += 1)}`,
      question: prompt,
      choices,
      ...more,
    });
  const line = () => call.state.dialogue.taskQuestion?.line ?? null;
  const hear = (heard = line()?.text ?? ''): void => {
    const { key = '', text = '' } = line() ?? {};
    call.send({ type: 'speech:settled', at: noon, key, state: 'done', text, heard });
  };
  const says = (text: string, more: Partial<UserTurn> = {}): TaskAnswer | 'open' | null => {
    const { taskQuestion } = call.state.dialogue;
    const utterance = taskQuestion === null ? {} : { utterance: readChoice(graph.reader, taskQuestion, text) };
    const turn = { type: 'user:turn', at: noon, eventId: `e${call.log.length}`, text, via: 'speech' } as const;
    call.send({ ...turn, answersTask: true, ...utterance, ...more });
    return call.state.dialogue.taskQuestion === null ? null : (call.state.dialogue.taskQuestion.answer ?? 'open');
  };
  ask();
  hear(hears);
  return { call, graph, ask, hear, says, line };
}

const chosen = (choice: string | null): TaskAnswer => ({ kind: 'words', choice });

describe.each(Object.values(gates))('a gate that asks "$prompt"', (gate) => {
  const [yes = '', no = ''] = gate.choices;
  const words = {
    en: { agrees: ['Yes.', 'Release it.', 'Yes, please.'], refuses: ['No.', 'Please do not release it.', 'reject it'] },
    de: { agrees: ['Ja.', 'Freigeben, bitte.'], refuses: ['Nein.', 'Bitte nicht freigeben.', 'Ablehnen.'] },
    es: { agrees: ['Sí.', 'Aprobar.'], refuses: ['No.', 'No aprobar.', 'Rechazar.'] },
    fr: { agrees: ['Oui.', 'Approuver.'], refuses: ['Non.', 'Ne pas approuver.', 'Refuser.'] },
    pt: { agrees: ['Sim.', 'Aprovar.'], refuses: ['Não.', 'Não aprovar.', 'Recusar.'] },
  }[gate.language] ?? { agrees: [], refuses: [] };

  test.each(words.agrees)('takes %j for the choice that it means', (text) => {
    expect(asked(gate).says(text)).toEqual(chosen(yes));
  });

  test.each(words.refuses)('takes %j for the other', (text) => {
    expect(asked(gate).says(text)).toEqual(chosen(no));
  });

  test.each(words.agrees)('does not count %j before the question was heard', (text) => {
    const { says, line } = asked(gate, gate.prompt.split(' ').slice(0, 1).join(' '));
    expect(says(text)).toBe('open');
    expect(line()).toMatchObject({ text: gate.prompt, isProtected: true });
  });

  test.each(words.refuses.slice(0, 1))('counts %j at once', (text) => {
    expect(asked(gate, gate.prompt.split(' ').slice(0, 1).join(' ')).says(text)).toEqual(chosen(no));
  });
});

test.each([
  [gates.en, 'Yes, I mean, I have to ask my wife first.'],
  [gates.en, 'Yes, if it is under fifty.'],
  [gates.en, 'Should I release it?'],
  [gates.en, 'It is about my invoice.'],
  [gates.de, 'Ja, aber erst morgen.'],
  [gates.de, 'Was kostet das?'],
  [gates.es, 'Sí, pero tengo que preguntar a mi mujer.'],
])('to "$prompt" %j is not a choice: the question is repeated with the choices', (gate, text) => {
  const { says, line } = asked(gate);
  expect(says(text)).toBe('open');
  expect(line()?.text).toBe(`${gate.prompt} ${gate.choices.join(', ')}?`);
});

test.each(['Which of them: release, reject?', 'What shall I do with the payment?'])(
  'a plain yes to "%s" means no choice',
  (prompt) => {
    expect(asked({ ...gates.en, prompt }).says('Yes.')).toBe('open');
  },
);

test.each([
  [gates.en, "No, not before I've talked to my wife."],
  [gates.de, 'Nein, nicht bevor ich mit meiner Frau gesprochen habe.'],
  [gates.es, 'No, no antes de hablar con mi mujer.'],
  [gates.fr, "Non, pas avant d'en avoir parlé à ma femme."],
  [gates.pt, 'Não, não antes de falar com a minha mulher.'],
])('to "$prompt" a no with other words refuses: %j', (gate, text) => {
  expect(asked(gate).says(text)).toEqual(chosen(gate.choices[1] ?? ''));
  // Any words answer this question: the text counts, and not only the no in it.
  expect(asked({ ...gate, takesText: true }).says(text)).toEqual(chosen(null));
});

test.each([
  [gates.en, 'No idea.'],
  [gates.en, 'No, why?'],
  [gates.en, 'Nothing against it.'],
  [gates.de, 'Keine Ahnung.'],
  [gates.es, 'No le oigo.'],
  [gates.fr, 'Aucune idée.'],
  [gates.pt, 'Não há problema.'],
])('to "$prompt" %j is not a refusal', (gate, text) => {
  expect(asked(gate).says(text)).toBe('open');
});

test.each([
  [gates.en, 'No, why?'],
  [gates.en, 'Should I release it?'],
  [gates.de, 'Nein, warum?'],
  [gates.es, '¿No, por qué?'],
  [gates.fr, 'Non, pourquoi ?'],
  [gates.pt, 'Não, porquê?'],
])('to "$prompt" the question %j is not a miss, and the misses before it still count', (gate, text) => {
  const { says, call, hear, line } = asked(gate);
  says('…');
  hear();
  expect(says(text)).toBe('open');
  expect(call.told('question:missed')).toEqual([]);
  for (const choice of gate.choices) expect(line()?.text).toContain(choice);
  hear();
  says('…');
  expect(call.told('question:missed')).toMatchObject([{ attempt: 2, of: 3 }]);
});

test('a caller who only asks back is asked six times at most', () => {
  const { says } = asked();
  const answers = Array.from({ length: 6 }, () => says('Why?'));
  expect(answers).toEqual([...Array.from({ length: 5 }, () => 'open'), { kind: 'none', cause: 'no-match' }]);
});

test('silences and words that do not answer are misses of one question', () => {
  const { says, call, hear } = asked();
  expect(says('What a day.')).toBe('open');
  hear();
  call.silence();
  hear();
  expect(says('Who knows.')).toEqual({ kind: 'none', cause: 'no-match' });
  expect(call.told('question:missed')).toEqual([{ cause: 'no-match', attempt: 3, of: 3 }]);
});

test('sounds do not answer a task that takes any words', () => {
  const { says } = asked({ ...gates.en, takesText: true });
  expect(says('…')).toBe('open');
  expect(says('Ask Kim first.')).toEqual(chosen(null));
});

test('a task that judges its answers itself gets all words', () => {
  expect(asked({ ...gates.en, takesText: undefined }).says('What a day.')).toEqual(chosen(null));
});

test('a weak yes that began before the end of the question only shows that somebody listens', () => {
  const { says } = asked(gates.en, 'Shall I release');
  expect(says('mhm')).toBe('open');
  expect(asked(gates.en, 'Shall I release').says('yes')).toEqual(chosen('release'));
  expect(asked(gates.en).says('mhm')).toEqual(chosen('release'));
});

test('a weak yes after a silence only shows that somebody listens', () => {
  const { says, call, hear, line } = asked();
  call.silence();
  hear();
  expect(says('mhm')).toBe('open');
  expect(line()?.text).toBe(gates.en.prompt);
  hear();
  expect(says('mhm')).toEqual(chosen('release'));
});

test('a question of which nobody can tell what was heard is put six times, and then left unanswered', () => {
  const { says, line } = asked();
  const answers = Array.from({ length: 6 }, () => says('Yes.', { heard: [{ key: line()?.key ?? '', text: null }] }));
  expect(answers).toEqual([...Array.from({ length: 5 }, () => 'open'), { kind: 'none', cause: 'no-match' }]);
});

test('a choice that began before the line ended is judged by what was played then', () => {
  const { says, line } = asked();
  expect(says('Yes.', { heard: [{ key: line()?.key ?? '', text: 'Shall' }] })).toBe('open');
});

test('a request for time keeps the question open, and the next silence is the caller’s', () => {
  const { says, call, graph } = asked();
  expect(says('One moment, please.')).toBe('open');
  expect(call.outcome[0]).toMatch(/^say: /);
  expect(noInputMsOf(graph, call.state, noonCivil)).toBe(60_000);
});

test('a request for repetition says the question again, which is not a miss', () => {
  const { says, call } = asked();
  expect(says('Could you say that again?')).toBe('open');
  expect(call.outcome).toEqual(['say: Shall I release the payment?']);
  expect(call.state.dialogue.taskQuestion?.misses).toBe(0);
});

test.each([
  [
    gates.en,
    [
      'Are you still there? Shall I release the payment?',
      'You can say release or reject. Shall I release the payment?',
    ],
  ],
  [
    gates.de,
    [
      'Sind Sie noch da? Soll ich die Zahlung freigeben?',
      'Sie können sagen: freigeben oder ablehnen. Soll ich die Zahlung freigeben?',
    ],
  ],
  [
    gates.es,
    [
      '¿Sigue ahí? ¿Apruebo ahora mismo el pago de la factura?',
      'Puede decir aprobar o rechazar. ¿Apruebo ahora mismo el pago de la factura?',
    ],
  ],
])('a silence puts "$prompt" again in its language, and the third ends it', (gate, expected) => {
  const { call, line, hear, graph } = asked(gate);
  const put: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    expect(noInputMsOf(graph, call.state, noonCivil)).toBe(8_000);
    call.silence();
    put.push(line()?.text ?? '');
    hear();
  }
  expect(put).toEqual(expected);
  call.silence();
  expect(call.state.dialogue.taskQuestion?.answer).toEqual({ kind: 'none', cause: 'no-input' });
  expect(call.told('question:missed')).toEqual([{ cause: 'no-input', attempt: 3, of: 3 }]);
  const task = Object.values(call.state.effects).find(({ kind }) => kind === 'task');
  call.send({ type: 'effect:settled', at: noon, key: task?.key ?? '', state: 'failed', error: 'unanswered' });

  expect(call.state.status).toBe('ending');
  expect(call.outcome).toEqual([`say: ${graph.speech.lines.endUnheard[0]}`, 'end no-input']);
});

test('words while a person talks to the caller answer no task, and the question is put again afterwards', () => {
  const { call, says, line } = asked();
  call.send({ type: 'takeover:started', at: noon, actor: null });
  expect(says('Yes.')).toBe('open');
  const before = line()?.key;
  call.send({ type: 'takeover:ended', at: noon, actor: null });
  expect(line()).toMatchObject({ text: gates.en.prompt });
  expect(line()?.key).not.toBe(before);
});

test('a task that has ended asks no more, and a new process has not been asked anything', () => {
  const { call } = asked();
  call.send({ type: 'task:answered', at: noon, key: 's/asked/7' });
  expect(call.state.dialogue.taskQuestion).not.toBeNull();
  call.send({ type: 'task:answered', at: noon, key: 's/asked/1' });
  expect(call.state.dialogue.taskQuestion).toBeNull();
  const other = asked();
  other.call.resume();
  expect(other.call.state.dialogue.taskQuestion).toBeNull();
});

test('a log of an older release, which holds no question, folds as before', () => {
  const { call } = asked();
  call.resume();
  call.send({ type: 'user:turn', at: noon, eventId: 'old', text: 'Yes', via: 'text', answersTask: true });
  expect(call.outcome).toEqual([]);
  expect(call.state.turn.lastFlowEventId).toBe('old');
});
