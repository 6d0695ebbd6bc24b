import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFlow } from '../../src/index.ts';

/** The same parcel desk in the documented format of each product. */
const folder = join(import.meta.dirname, 'foreign');

const documents: readonly (readonly [file: string, name: RegExp, key: string])[] = [
  ['retell-flow.json', /a Retell conversation flow/, 'start_node_id'],
  ['retell-agent.json', /a Retell agent with its conversation flow/, 'conversationFlow'],
  ['retell-agent-alone.json', /a Retell agent without its flow/, 'response_engine'],
  ['retell-llm.json', /a Retell LLM/, 'general_prompt'],
  ['vapi-assistant.json', /a Vapi assistant/, 'model'],
  ['vapi-squad.json', /a Vapi squad/, 'members'],
  ['vapi-workflow.json', /a Vapi workflow/, 'nodes'],
  ['rasa-flows.yml', /a file of Rasa flows/, 'flows'],
  ['rasa-domain.yml', /a Rasa domain/, 'slots'],
  ['dialogflow-agent.json', /a Dialogflow CX agent/, 'startFlow'],
  ['dialogflow-flow.json', /a part of a Dialogflow CX agent/, 'transitionRoutes'],
  ['dialogflow-page.json', /a part of a Dialogflow CX agent/, 'transitionRoutes'],
  ['voiceflow.json', /a Voiceflow project/, 'diagrams'],
  ['pipecat-editor.json', /an export of the Pipecat Flows editor/, '$id'],
  ['livekit-flows.yaml', /a flow of livekit-flows/, 'system_prompt'],
  ['dograh.json', /a Dograh workflow/, 'nodes'],
  ['copilot-studio.mcs.yml', /a topic of Copilot Studio/, 'kind'],
  ['elevenlabs-agent.json', /an ElevenLabs agent/, 'conversation_config'],
];

describe('a document of another product', () => {
  test.each(documents)('is named in one line, with what can be done: %s', (file, name, key) => {
    const { graph, tasks, diagnostics } = checkFlow(join(folder, file));
    expect([graph, tasks]).toEqual([null, null]);
    expect(diagnostics).toHaveLength(1);
    const [only] = diagnostics;
    expect(only).toMatchObject({
      code: 'unsupported-format',
      severity: 'error',
      path: [key],
      message: expect.stringMatching(name),
    });
    expect(only?.hint).toMatch(/\.$/);
    expect(only?.line).toBeGreaterThan(0);
  });

  test('is known in the answer of an API too', () => {
    const squad: unknown = JSON.parse(readFileSync(join(folder, 'vapi-squad.json'), 'utf8'));
    for (const answer of [{ squad }, [squad], { id: 'x', squad }])
      expect(checkFlow(answer).diagnostics.map(({ message }) => message)).toEqual([
        expect.stringContaining('a Vapi squad'),
      ]);
  });

  test('is known by keys of the editor also without the address of its schema', () => {
    const { $id: _id, ...bare } = JSON.parse(readFileSync(join(folder, 'pipecat-editor.json'), 'utf8')) as object & {
      $id: string;
    };
    expect(checkFlow(bare).diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('Pipecat Flows editor'),
    ]);
  });
});

describe('a flow of ours with a mistake', () => {
  test.each([
    [
      'the initial node is missing',
      { nodes: [{ id: 'a', say: 'Hello.', end: true }], edges: [{ from: 'a', to: 'a' }] },
    ],
    ['only slots and state are there', { slots: { a: { type: 'name' } }, state: {} }],
    ['its nodes have data', { initial_node: 'a', nodes: [{ id: 'a', data: {}, say: 'Hello.', end: true }] }],
    ['it names its flow like a list of flows', { flow: {}, flows: { a: { steps: [] } }, nodes: {} }],
    ['it has a key of Retell', { schema_version: 1, nodes: [{ id: 'a', say: 'Hello.' }], global_prompt: 'x' }],
  ])('is not taken for somebody else’s where %s', (_, flow) => {
    expect(checkFlow(flow).diagnostics.map(({ code }) => code)).not.toContain('unsupported-format');
  });
});
