import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { heldStore } from '../gated.ts';
import { prompt } from '../flows.ts';
import { until } from '../until.ts';
import { impatientClock, preemptiveModes, settledSoon, voiceCall } from './voice-rig.ts';

const flowTo = (say: string | undefined): ConversationFlow => ({
  initialNode: 'a',
  nodes: {
    a: { say: 'Hello.', taskMessages: prompt('A.'), functions: [{ name: 'to_b', transitionTo: 'b' }] },
    b: {
      ...(say === undefined ? {} : { say }),
      taskMessages: prompt('B.'),
      functions: [{ name: 'to_a', transitionTo: 'a' }],
    },
  },
});

describe.each(preemptiveModes)('between a decision and its entry, with preemptive generation %s', (preemptive) => {
  describe.each([undefined, 'This is node B.'])('into a node that says %s', (say) => {
    /** The model has called and the flow has moved, but no step is durable: the new node must not be heard yet. */
    const decided = async () => {
      const { store, hold, release } = heldStore();
      const call = await voiceCall(
        flowTo(say),
        {
          a: [{ when: 'go', calls: [{ name: 'to_b' }] }],
          b: [{ when: 'what', text: 'B answers.' }, { text: 'B speaks.' }],
        },
        { preemptive, store, clock: impatientClock },
      );
      await call.hasHeard(1);
      hold();
      await call.caller.says('go');
      await until(() => call.path.length === 1, 'the decision');
      await settledSoon();
      expect(call.heard).toEqual(['Hello.']);
      return { ...call, release };
    };

    it('the caller’s turn is answered by the new node, once, when the move is durable', async () => {
      const { caller, model, heard, path, release, quiet } = await decided();
      await caller.says('what is it');
      await settledSoon();
      expect(heard).toEqual(['Hello.']);
      release();
      await until(() => heard.join(' ').includes('B answers.'), 'the answer');
      await quiet();
      expect(path).toEqual(['a -> b']);
      expect(heard.join(' ')).toBe(`Hello. ${say === undefined ? '' : `${say} `}B answers.`);
      expect(model.requests.at(-1)).toMatchObject({ node: 'b', userText: 'what is it' });
    });

    it('after an interruption without words the new node continues', async () => {
      const { session, heard, path, release, quiet } = await decided();
      const interrupted = session.interrupt().await;
      await settledSoon();
      release();
      await interrupted;
      await until(() => heard.length === 2, 'the new node');
      await quiet();
      expect(path).toEqual(['a -> b']);
      expect(heard).toEqual(['Hello.', say ?? 'B speaks.']);
    });

    it('hanging up keeps the move', async () => {
      const { session, runner, heard, release } = await decided();
      const closed = session.close();
      release();
      await closed;
      await runner.ended;
      expect(heard).toEqual(['Hello.']);
      expect(runner.state).toMatchObject({ position: { node: 'b' }, status: 'ended' });
    });
  });
});
