import { ask, defineFlow, handoff, say, tool } from 'roomflow';

/** Corrects one sentence, and hands the pupil over to the reminder. */
export default defineFlow(async function* tutor() {
  const name = yield* ask({ key: 'name', text: "What's your name?", type: 'name' });
  yield* say(`Nice to meet you, ${name}.`);
  const sentence = yield* ask({ key: 'sentence', text: 'Send one sentence in English.' });
  const corrected = yield* tool<string>({ name: 'correct_sentence', args: { sentence } });
  // A tool that fails or takes too long is an outcome: what follows is the flow's own decision.
  yield* say(corrected.ok ? `Better: ${corrected.result}` : 'I cannot correct it right now.');
  yield* handoff('reminder', { name });
});
