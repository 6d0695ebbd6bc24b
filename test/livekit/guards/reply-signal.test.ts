import { llm, voice } from '@livekit/agents';
import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { guardReplySignal } from '../../../src/livekit/guards/reply-signal.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';
import { silenceLivekit } from '../call-record.ts';
import { live } from '../live.ts';

/** Collects the warnings of this process until the end of the test. */
function warningsFromNow(): readonly string[] {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  return warnings;
}

const calls = Array.from({ length: 30 }, () => ({ name: 'look' }));
const lookOnce = ({ afterTool }: { readonly afterTool: string }) => (afterTool === '' ? { calls } : { text: 'Done.' });

class Looking extends voice.Agent {
  readonly #isGuarded: boolean;

  constructor(isGuarded: boolean) {
    super({
      instructions: 'Look.',
      tools: { look: llm.tool({ description: 'Looks.', parameters: z.object({}), execute: async () => 'seen' }) },
    });
    this.#isGuarded = isGuarded;
  }

  override async onEnter(): Promise<void> {
    if (this.#isGuarded) guardReplySignal(this);
  }
}

// Later releases have no such limit for signals.
const isLimited = process.versions.node.startsWith('20.');

it('a reply of thirty calls: LiveKit’s own makes Node warn of a leak; guarded, it does not', async () => {
  silenceLivekit();
  const warnings = warningsFromNow();
  const reply = async (isGuarded: boolean): Promise<void> => {
    const session = new voice.AgentSession({ llm: new ScriptedModel(lookOnce) });
    await session.start({ agent: new Looking(isGuarded) });
    await session.generateReply({ userInput: 'look' }).waitForPlayout();
    await session.close();
    await nextRound();
  };
  await reply(true);
  expect(warnings).toEqual([]);
  await reply(false);
  expect(warnings.length > 0).toBe(isLimited);
});

it('a flow whose model calls thirty functions at once, and one after the other, makes Node warn of nothing', async () => {
  const warnings = warningsFromNow();
  const look = flowTool({ name: 'look', description: 'Looks.', parameters: z.object({}), execute: () => 'seen' });
  let steps = 0;
  const { runner } = await live(
    { initialNode: 'a', nodes: { a: { say: 'Hello.', functions: [{ name: 'look', effect: 'read' }] } } },
    ({ userText, afterTool }) => {
      if (userText === 'all') return afterTool === '' ? { calls } : { text: 'Done.' };
      return (steps += 1) < 15 ? { calls: [{ name: 'look' }] } : { text: 'Done.' };
    },
    { tools: [look], limits: { callsPerReply: 40, callsPerTurn: 40 } },
  );
  await runner.send('all');
  await runner.send('one after the other');
  await nextRound();
  expect(warnings).toEqual([]);
  await runner.stop();
});
