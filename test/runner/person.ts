import { createRun } from '../../src/runner/create-flow-run.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { FlowRun, RunOptions } from '../../src/runner/flow-run.ts';
import type { Channel, ChannelRun } from '../../src/model/ports/channel.ts';
import { modelPort } from '../../src/livekit/model/model-port.ts';
import { type ModelScript, ScriptedModel } from '../../src/testing/scripted-model.ts';

/** Checks whether a person was informed of the run. */
export function isStarted({ run }: { run(): ChannelRun }): boolean {
  try {
    return run() !== null;
  } catch {
    return false;
  }
}

/** A person at a channel: the texts that they heard, and the run to talk to. */
export function person(name = 'person'): Channel & { readonly heard: string[]; run(): ChannelRun } {
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

export const desk: ConversationFlow = {
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

export const premium: ModelScript = {
  '*': [{ when: 'premium', calls: [{ name: 'record', arguments: { plan: 'premium' } }] }],
};

export function conversation(script: ModelScript, options: RunOptions = {}, flow: ConversationFlow = desk): FlowRun {
  return createRun(flow, {
    model: modelPort(new ScriptedModel(script)),
    timeZone: 'UTC',
    sessionId: 'session',
    ...options,
  });
}
