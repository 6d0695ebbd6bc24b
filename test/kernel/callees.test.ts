import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CalleeWords } from '../../src/model/callee.ts';
import { whoAnswered } from '../../src/kernel/callee/who-answered.ts';
import { newSession } from '../../src/kernel/state/state.ts';
import { step } from '../../src/kernel/step.ts';
import type { Signal } from '../../src/model/signals/signal.ts';
import { readCalleeWords } from '../../src/language/callee-words.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { tries } from '../tries.ts';
import { graphOf, noon, noonCivil } from './session.ts';

const before = { who: null, wasGreeted: false, verdict: null } as const;
const answerer = (text: string) => whoAnswered(readCalleeWords(text), before).who;

test.each([
  // English
  ['Hello?', 'person'],
  ['Yes, speaking.', 'person'],
  ['Ada Lovelace.', 'person'],
  ['Good morning, Miller and Sons, my name is Ann, how can I help you?', 'person'],
  ['Mommy is in the garden.', 'person'],
  ["Hi, you've reached Ada Lovelace. I'm sorry I can't come to the phone right now.", 'voicemail'],
  ['Please leave your name and number after the tone.', 'voicemail'],
  ['The person you are trying to reach is not available.', 'voicemail'],
  ['Your call has been forwarded to an automatic voice message system.', 'voicemail'],
  ['Please leave a message after the beep, yes.', 'voicemail'],
  [
    "Hi, the person you're calling is using a screening service from Google. Go ahead and say your name, and why you're calling.",
    'screener',
  ],
  ['May I ask who is calling?', 'screener'],
  ['For sales press one, for support press two.', 'menu'],
  ['Please hold the line, all our agents are busy.', 'hold'],
  ['Ada is not available right now', null],
  // German
  ['Hallo?', 'person'],
  ['Müller am Apparat.', 'person'],
  ['Mama ist im Garten.', 'person'],
  ['Guten Tag, dies ist der Anrufbeantworter der Familie Müller.', 'voicemail'],
  ['Der Teilnehmer ist nicht erreichbar. Bitte hinterlassen Sie eine Nachricht nach dem Ton.', 'voicemail'],
  ['Wer ruft denn da an? Nennen Sie bitte Ihren Namen und den Grund Ihres Anrufs.', 'screener'],
  ['Für Bestellungen drücken Sie bitte die Eins.', 'menu'],
  ['Bitte bleiben Sie in der Leitung.', 'hold'],
  // French
  ['Allô ?', 'person'],
  ['Vous êtes bien sur la messagerie de Jeanne Moreau.', 'voicemail'],
  ['Laissez-moi un message après le bip sonore.', 'voicemail'],
  ["Qui est à l'appareil ?", 'screener'],
  ['Pour prendre rendez-vous, tapez un.', 'menu'],
  ['Ne quittez pas, un conseiller va vous répondre.', 'hold'],
  // Spanish
  ['¿Diga?', 'person'],
  ['Ha llamado al buzón de voz de Ana. Deje su mensaje después de la señal.', 'voicemail'],
  ['¿De parte de quién?', 'screener'],
  ['Para ventas marque uno.', 'menu'],
  ['Permanezca en línea, por favor.', 'hold'],
  // Portuguese
  ['Alô?', 'person'],
  ['Você ligou para a caixa postal. Deixe o seu recado após o sinal.', 'voicemail'],
  ['Quem está ligando?', 'screener'],
  ['Para vendas, digite um.', 'menu'],
  ['Aguarde na linha, por favor.', 'hold'],
])('%s is %s', (text, who) => {
  expect(answerer(text)).toBe(who);
});

test('a verdict of the detector decides what words leave open, and typical words weigh more', () => {
  const long: CalleeWords = { signs: [], words: 15 };
  expect(whoAnswered(long, before).who).toBeNull();
  expect(whoAnswered(long, { ...before, verdict: 'machine-vm' })).toEqual({ who: 'voicemail', reason: 'detector' });
  expect(whoAnswered(long, { ...before, verdict: 'human' }).who).toBe('person');
  expect(whoAnswered({ signs: ['voicemail'], words: 9 }, { ...before, verdict: 'human' }).who).toBe('voicemail');
});

const graph = graphOf({
  initialNode: 'ask',
  callee: {
    voicemail: 'Please call us.',
    screener: 'The assistant of the practice.',
    keys: '0',
    again: { after: '2h', times: 1 },
  },
  slots: {
    day: { type: 'date', after: 'today', ask: 'Which day?' },
    agrees: { type: 'boolean', ask: 'Do you agree?' },
  },
  nodes: { ask: { collect: ['day', 'agrees'], defaultTransition: 'done' }, done: { say: 'Booked.', end: 'booked' } },
});

/** Folds what the line says into a call of the agent's side. `null` is a silence. */
function line(...said: readonly (string | null)[]) {
  let state = newSession('s');
  const told: string[] = [];
  const facts: string[] = [];
  let at = noon;
  const send = (signal: Signal): void => {
    const next = step(graph, state, signal);
    state = next.state;
    for (const fact of next.facts) facts.push(fact.type);
    for (const effect of next.effects) {
      if (effect.kind !== 'say') continue;
      const { text } = effect.payload;
      told.push(text);
      send({ type: 'speech:settled', at, key: effect.key, state: 'done', text, heard: text });
    }
  };
  const flow = { id: graph.name, hash: graph.hash };
  send({ type: 'session:started', at, sessionId: 's', flow, input: {}, timeZone: 'UTC', called: { flow: 'recall' } });
  for (const [index, text] of said.entries()) {
    at += 10_000;
    if (text === null) send({ type: 'silence:elapsed', at });
    else
      send({
        ...{ type: 'user:turn', at, eventId: `e${index}`, text, via: 'speech' },
        utterance: readUtterance({ graph, state, civil: noonCivil }, text),
        callee: graph.reader.callee(text),
      });
  }
  return { state, told, facts };
}

test('the line is silent until somebody speaks, and the flow begins with a person', () => {
  expect(line()).toMatchObject({ told: [], state: { position: { visit: 0 } } });
  const { told, state } = line('Hello?');
  expect(told).toEqual(['Which day?']);
  expect(state.people.callee?.who).toBe('person');
});

test('a greeting is heard to its end before the message, which is said once', () => {
  expect(line('Leave a message after the tone.').told).toEqual([]);
  const { told, state } = line('Leave a message after the tone.', null);
  expect(told).toEqual(['Please call us.']);
  expect(state.status).toBe('active');
  const { told: all, state: ended, facts } = line('Leave a message after the tone.', null, 'Beep.', null);
  expect([all, ended.status]).toEqual([['Please call us.'], 'ending']);
  expect(facts).toContain('callee:again');
});

test('a person who picks up while the message is said is more important than the message', () => {
  const { told, state } = line('Leave a message after the tone.', null, 'Hello? I am here.');
  expect([told.at(-1), state.people.callee?.who]).toEqual(['Which day?', 'person']);
});

test('a flow that words of a machine began is taken back, with the values of those words', () => {
  expect(line('Hello.', 'December 4.').state.knowledge.slots).toHaveProperty('day');
  const { state } = line('Hello.', 'December 4.', 'You have reached the voicemail of Ada, leave a message on Friday.');
  expect([state.knowledge.slots, state.position.visit, state.people.callee?.who]).toEqual([{}, 0, 'voicemail']);
});

const machine = fc.constantFrom(
  'Please leave a message after the tone.',
  'Yes. You have reached the mailbox of Ada. Leave a message on Friday, December 4.',
  'Who is calling, please? Yes or no?',
  'For yes press one, for Friday press two.',
  'Please hold the line. Yes.',
  null,
);

test('words of a machine fill no slot and agree to nothing, in any order', () => {
  fc.assert(
    fc.property(fc.array(machine, { minLength: 1, maxLength: 8 }), (said) => {
      const { state, facts } = line(...said);
      expect(state.knowledge.slots).toEqual({});
      for (const type of ['slot:filled', 'slot:proposed', 'slot:confirmed', 'wait:answered', 'node:entered'])
        expect(facts).not.toContain(type);
    }),
    { numRuns: tries(200) },
  );
});
