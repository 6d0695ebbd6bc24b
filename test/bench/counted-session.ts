import { llm, type voice } from '@livekit/agents';
import type { JsonObject } from '../../src/model/json.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createTextSession, type TextSink } from '../../src/livekit/agent/text-session.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

/** The calls of a model that understands every sentence, by sentence. */
type Understood = Readonly<Record<string, { readonly name: string; readonly arguments?: JsonObject }>>;

/** A flow with its caller's turns. */
export interface CountedSession {
  readonly flow: ConversationFlow;
  readonly turns: readonly string[];
  readonly understood: Understood;
}

/** The cost of a session. */
export interface Counted {
  readonly inferences: number;
  /** Characters of all messages and tools in OpenAI's format, divided by four. */
  readonly promptTokens: number;
  readonly ended: string;
  /** From the caller's words to the agent's first word, in milliseconds, for each turn without an inference. */
  readonly firstWordMs: readonly number[];
}

/** Plays a text session on a real AgentSession and counts its cost. */
export async function countSession({ flow, turns, understood }: CountedSession): Promise<Counted> {
  const model = new CountingModel(understood);
  let firstWordAt = 0;
  const sink: TextSink = {
    async write() {
      firstWordAt ||= performance.now();
      await Promise.resolve();
    },
    end: () => undefined,
  };
  const session: voice.AgentSession = createTextSession(model, sink);
  const runner = createRunner({ session, flow, timeZone: 'UTC' });
  await runner.start();
  await runner.idle();
  const firstWordMs: number[] = [];
  for (const words of turns) {
    const [inferences, began] = [model.sent.length, performance.now()];
    firstWordAt = 0;
    await runner.send(words);
    if (model.sent.length === inferences && firstWordAt > 0) firstWordMs.push(firstWordAt - began);
  }
  await runner.stop();
  const ended = await runner.ended;
  void session.close();
  const characters = (await Promise.all(model.sent)).reduce((sum, length) => sum + length, 0);
  return { inferences: model.sent.length, promptTokens: Math.round(characters / 4), ended, firstWordMs };
}

/** A competent model that counts the characters of its requests. */
class CountingModel extends ScriptedModel {
  readonly sent: Promise<number>[] = [];

  constructor(understood: Understood) {
    super(({ userText }) => {
      const call = understood[userText];
      return call === undefined ? { text: 'I see.' } : { calls: [call] };
    });
  }

  override chat(options: Parameters<ScriptedModel['chat']>[0]): llm.LLMStream {
    const functions = options.toolCtx === undefined ? [] : llm.sortedToolEntries(llm.toToolContext(options.toolCtx));
    const tools = functions.map(([name, { description, parameters }]) =>
      JSON.stringify({ type: 'function', function: { name, description, parameters: llm.toJsonSchema(parameters) } }),
    );
    const messages = options.chatCtx.toProviderFormat('openai');
    this.sent.push(messages.then((all) => tools.join('').length + JSON.stringify(all).length));
    return super.chat(options);
  }
}
