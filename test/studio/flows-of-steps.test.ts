import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { defineFlow } from '../../src/flow/document/define.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { against } from '../../src/studio/against.ts';
import { flowShown } from '../../src/flow/picture/show-flow.ts';
import { flowsOfSteps } from '../../src/studio/sessions/flows-of-steps.ts';
import { createSteps, graphOfKept } from '../../src/studio/sessions/steps.ts';
import { systemClock } from '../../src/system.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

const shop = defineFlow({ initialNode: 'hello', nodes: { hello: { say: 'Hello.', end: 'sold' } } });
const desk = defineFlow({ initialNode: 'hello', nodes: { hello: { say: 'Good day.', end: 'closed' } } });

test('a stored version of an unnamed flow is named as in its log, and only that flow is replaced by the current one', async () => {
  const store = createMemoryStore({ clock: systemClock });
  const session = createTextSession(new ScriptedModel({}));
  const runner = createRunner({ session, flow: shop, flows: { shop }, store, sessionId: 's' });
  await runner.start();
  expect(await runner.ended).toBe('sold');
  const log = await store.steps.list('s');
  const graphOf = (hash: string) => store.graphs.get(hash).then(graphOfKept);

  const steps = createSteps('s', graphOf);
  const shown = await steps.take(log, null);
  const flows = await flowsOfSteps(shown, async (hash) => {
    const graph = await graphOf(hash);
    return graph === null ? null : flowShown(graph, null, true);
  });
  expect(Object.values(flows).map(({ name }) => name)).toEqual(['shop']);

  const other = await graphOfKept(JSON.parse(JSON.stringify(desk)));
  if (other === null) throw new Error('The flow of now can be read.');
  const ofDesk = { ...flowShown(other, null, true), name: 'desk' };
  expect((await against({ sessionId: 's', log, graphOf, other, shown: ofDesk })).parting).toBeNull();
  const { parting } = await against({ sessionId: 's', log, graphOf, other, shown: { ...ofDesk, name: 'shop' } });
  expect(parting?.differs).toContain('effects');
});
