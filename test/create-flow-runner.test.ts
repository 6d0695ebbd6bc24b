import { describe, expect, test } from 'vitest';
import { createFlowRunner } from '../src/create-flow-runner.ts';
import type { ConversationFlow } from '../src/flow/document.ts';
import type { FlowInstance, FlowInstanceOptions } from '../src/flow-instance.ts';
import type { Channel, ChannelRun } from '../src/ports/channel.ts';
import { modelPort } from '../src/session/model-port.ts';
import { type ModelScript, ScriptedModel } from '../src/testing/scripted-model.ts';
import { silenceLivekit } from './session/call-record.ts';
import { until } from './session/until.ts';

silenceLivekit();

/** A person at a channel: what they heard, and the run to talk to. */
function person(name = 'person'): Channel & { readonly heard: string[]; run(): ChannelRun } {
  const heard: string[] = [];
  let line = '';
  let run: ChannelRun | null = null;
  return {
    name,
    heard,
    run() {
      if (run === null) throw new Error('The channel has not started.');
      return run;
    },
    onStart: (attached) => Promise.resolve(void (run = attached)),
    onSpeech: (piece) => Promise.resolve(void (line += piece)),
    onSpeechEnd() {
      if (line.trim() !== '') heard.push(line.trim());
      line = '';
    },
  };
}

const desk: ConversationFlow = {
  name: 'desk',
  initialNode: 'hello',
  slots: { plan: { type: 'enum', values: { basic: [], premium: [] }, ask: 'Which plan?' } },
  state: { greeting: 'Hello.' },
  nodes: {
    hello: { say: '{{ greeting }}', defaultTransition: 'plan' },
    plan: {
      collect: ['plan'],
      taskMessages: [{ role: 'system', content: 'Ask for the plan.' }],
      defaultTransition: 'bye',
    },
    bye: { say: 'You take {{ plan }}.', end: 'chosen' },
  },
};

const premium: ModelScript = {
  '*': [{ when: 'premium', calls: [{ name: 'record', arguments: { plan: 'premium' } }] }],
};

function conversation(
  script: ModelScript,
  options: FlowInstanceOptions = {},
  flow: ConversationFlow = desk,
): FlowInstance {
  return createFlowRunner(flow, undefined, {
    model: modelPort(new ScriptedModel(script)),
    timeZone: 'UTC',
    sessionId: 'session',
    ...options,
  });
}

describe('a conversation with a channel attached', () => {
  test('takes what the channel sends as turns, gives it what the agent says, and ends with what it came to', async () => {
    const caller = person();
    const instance = conversation(premium).attach(caller);
    expect(instance.status).toBe('idle');
    const running = instance.run();
    await until(() => caller.heard.length === 1, 'the greeting');
    expect(instance.status).toBe('running');
    expect(await caller.run().send('Good morning')).toBe('taken');
    expect(await caller.run().send('Premium please')).toBe('taken');
    const { outputs, status, failures, events, durationMs } = await running;
    expect(caller.heard).toEqual(['Hello.', 'Which plan?', 'You take premium.']);
    expect({ status, failures }).toEqual({ status: 'complete', failures: [] });
    expect(outputs).toEqual({ reason: 'chosen', slots: { plan: 'premium' }, variables: { greeting: 'Hello.' } });
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(await caller.run().send('Anybody?')).toBe('over');
  });
});
