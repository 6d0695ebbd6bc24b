import type { llm } from '@livekit/agents';
import type { Scenario } from '../document/document.ts';
import { lengthMs } from '../document/durations.ts';
import type { Broken } from '../play/play-scenario.ts';
import type { ScenarioWorld } from '../play/scenario-world.ts';
import { askText } from './ask-text.ts';

const hangsUp = '[HANGS UP]';
const defaultTurns = 20;
const defaultDurationMs = 600_000;

/** Uses a model as the caller until the conversation ends, the caller hangs up, or it takes too long. */
export async function playPersona(
  world: ScenarioWorld,
  { persona, limits = {} }: Pick<Scenario, 'persona' | 'limits'>,
  model: llm.LLM,
): Promise<readonly Broken[]> {
  const broken: Broken[] = [];
  if (persona === undefined) return broken;
  const fail = (message: string, found: string | null): void =>
    void broken.push({
      path: ['persona'],
      turn: null,
      message,
      expected: null,
      found,
      about: { kind: 'way' },
      record: world.record,
    });
  const facts = Object.entries(persona.facts ?? {}).map(([name, value]) => `- ${name}: ${JSON.stringify(value)}`);
  const system = [
    'You play a caller on the telephone. Say only what the caller says next, in one or two short spoken sentences.',
    `Who you are: ${persona.who}`,
    `What you want: ${persona.goal}`,
    ...(facts.length === 0 ? [] : [`What you know:\n${facts.join('\n')}`]),
    `Make nothing up. Once you have what you want, or see that you cannot get it, answer ${hangsUp} and nothing else.`,
  ].join('\n');
  const startedAt = world.clock.now();
  world.begin(0, [], {});
  await world.start();
  for (let turn = 1; ; turn += 1) {
    const problem = await world.rest();
    if (problem !== null) {
      fail(problem, null);
      return broken;
    }
    if (world.ended !== null) return broken;
    if (turn > (limits.turns ?? defaultTurns)) {
      fail(`the caller gave up after ${limits.turns ?? defaultTurns} turns`, `in node ${world.state.position.node}`);
      return broken;
    }
    if (world.clock.now() - startedAt > lengthMs(limits.duration ?? defaultDurationMs)) {
      fail('the call took too long', `in node ${world.state.position.node}`);
      return broken;
    }
    const talk = world.record.lines.map(({ who, text }) => {
      return { role: who === 'agent' ? ('user' as const) : ('assistant' as const), text };
    });
    const words = await askText(model, system, talk.length === 0 ? [{ role: 'user', text: '(It is silent.)' }] : talk);
    world.begin(turn, [], {});
    if (words.includes(hangsUp)) {
      await world.hangUp();
      await world.rest();
      return broken;
    }
    world.say(words, words, `turn-${turn}`, 'text');
  }
}
