import { defineFlow } from '../../../src/flow/document/define.ts';
import { ask, end, handoff, say, tool } from '../../../src/flow/document/generator-yields.ts';

/** Two generators: draws that the journal must repeat, writes in a loop, a typed answer, and a handoff with input. */
const tutor = defineFlow(async function* tutor(ctx) {
  const lesson = ctx.uuid();
  const name = yield* ask({ key: 'name', text: "What's your name?" });
  for (const round of ['first', 'second']) {
    const sentence = yield* ask({ key: `${round} sentence`, text: `Your ${round} sentence, ${name}?` });
    const kept = yield* tool({ name: 'keep_sentence', args: { round, sentence } });
    yield* say(kept.ok ? `Kept for lesson ${lesson}, at ${ctx.now()}.` : kept.error);
  }
  yield* handoff('reminder', { name });
});

const reminder = defineFlow(async function* reminder(ctx) {
  const { name } = ctx.input as { name: string };
  const hours = yield* ask({ key: 'hours', text: `In how many hours, ${name}?`, type: 'integer', minimum: 1 });
  yield* tool({ name: 'schedule_reminder', args: { hours } });
  yield* end('reminder_scheduled');
});

export const lesson = { tutor, reminder };
