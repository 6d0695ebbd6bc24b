import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { systemClock } from '../../../src/system.ts';
import { gatedTool } from '../gated.ts';
import { booking, prompt } from '../flows.ts';
import { until } from '../until.ts';
import { impatientClock, preemptiveModes, settlesSoon, voiceCall } from './voice-rig.ts';

describe.each(preemptiveModes)('by voice, with preemptive generation %s', (preemptive) => {
  describe.each(['read', 'write'] as const)('an interruption of a %s', (effect) => {
    describe.each(['', 'Let me see to that for you now.'])('after the text "%s"', (text) => {
      const flow = (say: string | undefined): ConversationFlow => ({
        initialNode: 'book',
        nodes: {
          book: {
            say: 'Shall I?',
            taskMessages: prompt('Work.'),
            functions: [{ name: 'work', effect, transitionTo: 'after' }],
          },
          after: {
            ...(say === undefined ? {} : { say }),
            taskMessages: prompt('After.'),
            functions: [{ name: 'again', transitionTo: 'book' }],
          },
        },
      });
      const start = async (say?: string) => {
        const work = gatedTool();
        const call = await voiceCall(
          flow(say),
          { '*': [{ when: 'go', text, calls: [{ name: 'work' }] }, { text: 'Here I am.' }] },
          { preemptive, tools: [work.tool], clock: impatientClock },
        );
        await call.hasHeard(1);
        call.speaker.hold();
        await call.caller.says('go');
        await work.begun;
        call.speaker.hear(3);
        if (text !== '') await until(() => call.speaker.words.length === 5, 'three words of the text');
        return { ...call, work };
      };

      it('in the middle of it', async () => {
        const { caller, speaker, work, model, runner, heard, hasHeard, quiet } = await start();
        await caller.says('how long does it take', effect === 'write' ? work.open : undefined);
        work.open();
        speaker.run();
        const lines = text === '' ? 2 : 3;
        await hasHeard(lines);
        await quiet();
        // The model's words contain no question, so the node's question is repeated. A write has led elsewhere.
        const answer = effect === 'read' ? 'Here I am. So: Shall I?' : 'Here I am.';
        expect(heard).toEqual(text === '' ? ['Shall I?', answer] : ['Shall I?', 'Let me see', answer]);
        const last = model.requests.at(-1);
        expect(last?.userText).toBe('how long does it take');
        expect(work.runs).toBe(1);
        expect(model.requests).toHaveLength(2);
        if (effect === 'read') {
          expect(work.aborted).toBe(true);
          expect(runner.currentNode).toBe('book');
          expect(last?.items).toContain('output: work The caller said something else.');
        } else {
          expect(work.aborted).toBe(false);
          expect(runner.currentNode).toBe('after');
          expect(last?.items).toContain('output: work worked');
        }
      });

      it('without words', async () => {
        const { session, speaker, work, runner, heard, hasHeard, quiet } = await start('It is done.');
        const interrupted = session.interrupt().await;
        await new Promise((resolve) => setTimeout(resolve, 30));
        work.open();
        await interrupted;
        speaker.run();
        await hasHeard(text === '' ? 2 : 3);
        await quiet();
        expect(heard).toEqual(['Shall I?', ...(text === '' ? [] : ['Let me see']), 'It is done.']);
        expect(work.runs).toBe(1);
        expect(runner.currentNode).toBe('after');
      });
    });
  });

  it('the next turn waits for a write after a yes, and the new node answers once', async () => {
    const work = gatedTool();
    const { caller, model, runner, heard, hasHeard, quiet } = await voiceCall(
      booking,
      { '*': [{ when: 'go', calls: [{ name: 'work' }] }, { text: 'Not long.' }] },
      { preemptive, tools: [work.tool] },
    );
    await hasHeard(1);
    await caller.says('go');
    await hasHeard(2);
    await caller.says('yes');
    await work.begun;
    await caller.says('how long does it take', work.open);
    await hasHeard(3);
    await quiet();
    expect(work.runs).toBe(1);
    expect(runner.currentNode).toBe('after');
    expect(heard.join(' ')).toBe('Hello. Shall I really do it? Done. Not long.');
    expect(model.requests.map(({ node }) => node)).toEqual(['book', 'after']);
    expect(model.requests.at(-1)?.items).toContain('output: work worked');
  });

  describe.each([
    ['hanging up', false],
    ['hanging up', true],
    ['stopping', false],
    ['stopping', true],
  ])('%s in the middle of a write, confirmed by a yes: %s', (how, confirmed) => {
    it('keeps it once, and nothing hangs', async () => {
      const work = gatedTool();
      const store = createMemoryStore({ clock: systemClock });
      const flow: ConversationFlow = confirmed
        ? booking
        : {
            ...booking,
            nodes: {
              ...booking.nodes,
              book: {
                say: 'Hello.',
                taskMessages: prompt('Book.'),
                functions: [{ name: 'work', effect: 'write', transitionTo: 'after' }],
              },
            },
          }; // Both have a map of nodes.
      const { session, caller, runner, hasHeard } = await voiceCall(
        flow,
        { '*': [{ when: 'go', calls: [{ name: 'work' }] }] },
        { preemptive, tools: [work.tool], store },
      );
      await hasHeard(1);
      await caller.says('go');
      if (confirmed) {
        await hasHeard(2);
        await caller.says('yes');
      }
      await work.begun;
      const over = how === 'stopping' ? runner.stop() : session.close();
      expect(await settlesSoon(runner.ended)).toBe(false);
      // LiveKit waits for its own tool before it closes. It does not know of a call after a yes.
      if (how === 'hanging up' && confirmed) await over;
      work.open();
      await over;
      expect(await runner.ended).toBe(how === 'stopping' ? 'stopped' : 'session-closed');
      const log = await store.steps.list(runner.sessionId);
      const calls = log.flatMap(({ signal }) => (signal.type === 'batch:settled' ? signal.calls : []));
      expect(calls.filter(({ state }) => state === 'done').map(({ name }) => name)).toEqual(['work']);
      expect(work.runs).toBe(1);
      expect(work.aborted).toBe(false);
      const effects = await store.effects.list(runner.sessionId);
      expect(effects.filter(({ kind }) => kind === 'tool').map(({ state }) => state)).toEqual(['done']);
      expect(
        await store.leases.acquire({ sessionId: runner.sessionId, owner: 'another', ttlMs: 1_000 }),
      ).not.toBeNull();
    });
  });
});
