import { onTestFinished } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { FlowRunner, type FlowRunnerOptions } from '../../src/runner.ts';
import type { LiveSession } from '../../src/session/live-session.ts';
import { createTextSession, type TextSink } from '../../src/session/text-session.ts';
import { type ModelScript, ScriptedModel } from '../../src/testing/scripted-model.ts';

export interface Live {
  readonly runner: FlowRunner;
  readonly session: LiveSession;
  readonly model: ScriptedModel;
  /** What was heard of the agent, a line for each of its turns to speak. */
  readonly heard: readonly string[];
  /** `from -> to` of every transition taken. */
  readonly path: readonly string[];
  /** Every event type with its data, in order. */
  readonly events: readonly { readonly type: string; readonly data: unknown }[];
}

/** A flow, or with null the classic path, on a real AgentSession in text, with a scripted model; closed when the test is over. */
export async function live(
  flow: ConversationFlow | null,
  script: ModelScript,
  options: Partial<Omit<FlowRunnerOptions, 'flow' | 'session'>> & {
    readonly sink?: TextSink;
    readonly waitForGreeting?: boolean;
  } = {},
): Promise<Live> {
  const { sink, waitForGreeting = true, ...rest } = options;
  const model = new ScriptedModel(script);
  const session = createTextSession(model, sink);
  const runner = new FlowRunner({ session, ...(flow === null ? {} : { flow }), timeZone: 'UTC', ...rest });
  model.nodeOf = () => runner.currentNode;
  const heard: string[] = [];
  const path: string[] = [];
  const events: { type: string; data: unknown }[] = [];
  runner.onSpeech((text) => heard.push(text));
  runner.on('transition:taken', ({ data }) => path.push(`${data.from} -> ${data.to}`));
  runner.hub.subscribe('*', ({ type, data }) => events.push({ type, data }));
  onTestFinished(async () => {
    await runner.stop();
    // LiveKit takes half a second for it, which no test has to wait for.
    void session.close();
  });
  await runner.start();
  if (waitForGreeting) await runner.idle();
  return { runner, session, model, heard, path, events };
}
