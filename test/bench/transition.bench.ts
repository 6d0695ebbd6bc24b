import { llm, voice } from '@livekit/agents';
import { FlowRunner } from '../../dist/runner/flow-runner.js';
import { flowTool } from '../../dist/livekit/tools/flow-tool.js';
import { createTextSession } from '../../dist/livekit/agent/text-session.js';
import { type ModelScript, ScriptedModel } from '../../dist/testing/scripted-model.js';
import { type Measure, median, type Reading } from './measure.ts';
import { assertOpen } from './busy-calls.ts';
import { rounds } from './rounds.ts';

/** A session in which each turn of the caller is one call of a tool and one reply after it. */
interface Talk {
  /** Runs one turn. Returns the time from the end of the tool's handler to the next request, in milliseconds. */
  turn(): Promise<number>;
  close(): Promise<void>;
}

const turns = rounds(150, 8);
const warmUpTurns = rounds(30, 0);
const turnsASession = 60;

/** Measures two ways alternately, in fresh sessions from time to time, so that both have the same length of history. */
async function compare(candidate: () => Promise<Talk>, baselineName: string): Promise<Reading> {
  const candidateMs: number[] = [];
  const baselineMs: number[] = [];
  for (let round = -warmUpTurns; round < turns;) {
    const talks = [await candidate(), await stayingTalk()] as const;
    for (let turn = 0; turn < turnsASession && round < turns; turn += 1, round += 1) {
      const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
      for (const which of order) {
        const ms = await talks[which].turn();
        if (round >= 0) (which === 0 ? candidateMs : baselineMs).push(ms);
      }
    }
    for (const talk of talks) await talk.close();
  }
  const reference = median(baselineMs);
  return {
    value: median(candidateMs) / reference,
    baseline: `${baselineName}, ${reference.toPrecision(3)} ms`,
    runs: candidateMs.length,
  };
}

const instructions = 'You are the receptionist of a small clinic. Ask one question at a time and be brief.';
const task = [{ role: 'system' as const, content: instructions }];

/** Calls the tool for the caller's words, and answers after it. */
const script: ModelScript = ({ userText }) => (userText === '' ? { text: 'Fine.' } : { calls: [{ name: 'work' }] });

/** A model that records the times of its requests; tools record the times of their ends. */
class TimedModel extends ScriptedModel {
  handlerEnded = 0;
  askedAfter = 0;

  constructor() {
    super(script);
  }

  override chat(options: Parameters<ScriptedModel['chat']>[0]): llm.LLMStream {
    if (this.handlerEnded > 0 && this.askedAfter === 0) this.askedAfter = performance.now() - this.handlerEnded;
    this.requests.length = 0;
    return super.chat(options);
  }

  /** Returns the delay of the request after the tool, and resets it. */
  taken(): number {
    const ms = this.askedAfter;
    if (ms === 0) throw new Error('The model was not asked after the tool.');
    this.handlerEnded = this.askedAfter = 0;
    return ms;
  }
}

/** A runner whose function moves to the other of two nodes, or stays. */
async function flowTalk(moves: boolean): Promise<Talk> {
  const model = new TimedModel();
  const work = flowTool({
    name: 'work',
    description: 'Do the work.',
    execute: () => {
      model.handlerEnded = performance.now();
      return 'done';
    },
  });
  const node = (next: string) => ({
    taskMessages: task,
    respondImmediately: false,
    functions: [{ name: 'work', ...(moves ? { transitionTo: next } : {}) }],
  });
  const speaking = (next: string) => ({ ...node(next), respondImmediately: true });
  const session = createTextSession(model);
  const runner = new FlowRunner({
    session,
    flow: {
      initialNode: 'start',
      nodes: { start: node('a'), a: speaking('b'), b: speaking('a') },
      functions: [{ name: 'leave', transitionTo: 'a' }],
    },
    tools: [work],
    settings: { onEnd: 'keep' },
  });
  await runner.start();
  return {
    turn: async () => {
      await runner.send('Go on.');
      assertOpen(runner);
      return model.taken();
    },
    close: async () => {
      await runner.stop();
      await session.close();
    },
  };
}

const stayingTalk = (): Promise<Talk> => flowTalk(false);

/** LiveKit's own ways from one agent to the next: a handoff from the tool, or `updateAgent` in it. */
async function agentTalk(way: 'handoff' | 'updateAgent'): Promise<Talk> {
  const model = new TimedModel();
  const session = createTextSession(model);
  const agentOf = (next: () => voice.Agent, isFirst: boolean): voice.Agent =>
    voice.Agent.create({
      instructions,
      tools: [
        llm.tool({
          name: 'work',
          description: 'Do the work.',
          execute: async () => {
            const agent = next();
            model.handlerEnded = performance.now();
            if (way === 'handoff') return llm.handoff({ agent });
            session.updateAgent(agent);
            return undefined;
          },
        }),
      ],
      onEnter: () => {
        if (!isFirst) session.generateReply({ toolChoice: 'auto' });
      },
    });
  const fresh = (): voice.Agent => agentOf(fresh, false);
  /** The new agent's reply, created in `onEnter` as a separate speech. */
  const answered = (): Promise<void> =>
    new Promise((resolve) => {
      const onSpeech = ({ speechHandle, userInitiated }: voice.SpeechCreatedEvent): void => {
        if (!userInitiated || asked === speechHandle) return;
        session.off(voice.AgentSessionEventTypes.SpeechCreated, onSpeech);
        void speechHandle.waitForPlayout().then(resolve);
      };
      session.on(voice.AgentSessionEventTypes.SpeechCreated, onSpeech);
    });
  let asked: voice.SpeechHandle | undefined;
  await session.start({ agent: agentOf(fresh, true) });
  return {
    turn: async () => {
      asked = session.generateReply({ userInput: 'Go on.' });
      await answered();
      return model.taken();
    },
    close: () => session.close(),
  };
}

const baselineName = 'tool and reply in one node';

export const measures: Measure[] = [
  {
    name: 'transition.overhead_ratio',
    unit: 'times',
    better: 'lower',
    limit: 1.2,
    run: () => compare(() => flowTalk(true), baselineName),
  },
  {
    name: 'transition.handoff_ratio',
    unit: 'times',
    better: 'lower',
    run: () => compare(() => agentTalk('handoff'), baselineName),
  },
  {
    name: 'transition.update_agent_ratio',
    unit: 'times',
    better: 'lower',
    run: () => compare(() => agentTalk('updateAgent'), baselineName),
  },
];
