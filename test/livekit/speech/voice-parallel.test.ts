import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { gatedTool } from '../gated.ts';
import { prompt } from '../flows.ts';
import { until } from '../until.ts';
import { impatientClock, preemptiveModes, voiceCall } from './voice-rig.ts';

const flow: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'Hello.',
      taskMessages: prompt('Desk.'),
      functions: [
        { name: 'look', handler: 'look', transitionTo: 'looked' },
        { name: 'book', effect: 'write', transitionTo: 'booked' },
      ],
    },
    looked: { taskMessages: prompt('Looked.'), functions: [{ name: 'back', transitionTo: 'desk' }] },
    booked: { taskMessages: prompt('Booked.'), functions: [{ name: 'back', transitionTo: 'desk' }] },
  },
};

describe.each(preemptiveModes)('a read and a write at the same time, with preemptive generation %s', (preemptive) => {
  describe.each(['', 'One moment while I do that.'])('after the text "%s"', (text) => {
    /** The model has called both, the read first, and both run. */
    const bothUnderWay = async () => {
      const look = gatedTool('look');
      const book = gatedTool('book');
      const call = await voiceCall(
        flow,
        { '*': [{ when: 'go', text, calls: [{ name: 'look' }, { name: 'book' }] }, { text: 'Here I am.' }] },
        { preemptive, tools: [look.tool, book.tool], clock: impatientClock },
      );
      await call.hasHeard(1);
      call.speaker.hold();
      await call.caller.says('go');
      await Promise.all([look.begun, book.begun]);
      call.speaker.hear(2);
      if (text !== '') await until(() => call.speaker.words.length === 3, 'two words of the text');
      return { ...call, look, book };
    };

    it('move by the one that was called first, whichever ends first', async () => {
      const { speaker, look, book, runner, path, events, quiet } = await bothUnderWay();
      book.open();
      look.open();
      speaker.run();
      await until(() => runner.currentNode !== 'desk', 'the move');
      await quiet();
      expect(path).toEqual(['desk -> looked']);
      expect(events.filter(({ type }) => type === 'transition:dropped')).toEqual([
        { type: 'transition:dropped', data: { to: 'booked', function: 'book', reason: 'another-won' } },
      ]);
    });

    it('interrupted by the caller: the read is aborted, the write completes and moves, and one answer follows', async () => {
      const { caller, speaker, look, book, model, path, heard, quiet } = await bothUnderWay();
      await caller.says('how long does it take', book.open);
      look.open();
      speaker.run();
      await until(() => heard.at(-1) === 'Here I am.', 'the answer');
      await quiet();
      expect([look.aborted, book.aborted]).toEqual([true, false]);
      expect([look.runs, book.runs]).toEqual([1, 1]);
      expect(path).toEqual(['desk -> booked']);
      expect(model.requests).toHaveLength(2);
      expect(model.requests[1]?.items.filter((item) => /^(call|output)/.test(item))).toEqual([
        'call: look',
        'call: book',
        'output: look The caller said something else.',
        'output: book worked',
      ]);
      expect(heard).toEqual(['Hello.', ...(text === '' ? [] : ['One moment']), 'Here I am.']);
    });

    it('interrupted after the read has ended: its result is kept, and the write decides the move', async () => {
      const { caller, speaker, look, book, model, path, heard, quiet } = await bothUnderWay();
      look.open();
      await caller.says('how long does it take', book.open);
      speaker.run();
      await until(() => heard.at(-1) === 'Here I am.', 'the answer');
      await quiet();
      expect([look.aborted, book.aborted]).toEqual([false, false]);
      expect(path).toEqual(['desk -> booked']);
      expect(model.requests.at(-1)?.items.filter((item) => item.startsWith('output: book'))).toEqual([
        'output: book worked',
      ]);
    });

    it('interrupted after the write has ended: its move is taken at once', async () => {
      const { caller, speaker, look, book, path, heard, quiet } = await bothUnderWay();
      book.open();
      await caller.says('how long does it take');
      look.open();
      speaker.run();
      await until(() => heard.at(-1) === 'Here I am.', 'the answer');
      await quiet();
      expect([look.aborted, book.aborted]).toEqual([true, false]);
      expect(path).toEqual(['desk -> booked']);
    });

    it('interrupted without words: both continue, and so does the flow', async () => {
      const { session, speaker, look, book, path, heard, hasHeard, quiet } = await bothUnderWay();
      const interrupted = session.interrupt().await;
      book.open();
      look.open();
      await interrupted;
      speaker.run();
      await until(() => path.length === 1, 'the move');
      await hasHeard(2);
      await quiet();
      expect([look.aborted, book.aborted]).toEqual([false, false]);
      expect(path).toEqual(['desk -> looked']);
      expect(heard).toEqual(['Hello.', ...(text === '' ? [] : ['One moment']), 'Here I am.']);
    });
  });
});
