import { describe, expect, test } from 'vitest';
import { runNode, scriptedModel, startNode } from './run-node.ts';

/** Runs an agent with the answers of its model. Returns the result and all requests to the model. */
async function agent(type: string, input: object, ...answers: readonly string[]) {
  const model = scriptedModel(...answers);
  const output = await runNode(type, { input: 'It.', ...input }, { model: () => model, prompt: 'The prompt file.' });
  return { output, requests: model.requests, system: model.requests[0]?.messages[0]?.content ?? '' };
}

describe('agent.classify', () => {
  const labels = ['bug', 'How-to'];

  test('gives the label that the model names, however it spells it', async () => {
    for (const [answer, result] of [
      ['bug', 'bug'],
      [' "HOW-TO". ', 'How-to'],
    ] as const)
      expect((await agent('agent.classify', { labels }, answer)).output).toEqual({ result });
  });

  test('tells the model its labels, after what the node is for and before the prompt file', async () => {
    const { system } = await agent('agent.classify', { labels }, 'bug');
    expect(system).toBe(
      'Answer with the class of the input and nothing else. The classes are: bug, How-to.\n\nThe prompt file.',
    );
  });

  test('asks once more for what is none of the labels, then fails by a code', async () => {
    const mended = await agent('agent.classify', { labels }, 'It is a bug', 'bug');
    expect(mended.output).toEqual({ result: 'bug' });
    expect(mended.requests[1]?.messages.at(-1)?.content).toBe('This is none of the classes. They are: bug, How-to.');
    expect((await agent('agent.classify', { labels }, 'both', 'none')).output).toContain('agent-output-invalid: ');
  });

  test('without labels gives what the model says', async () => {
    expect((await agent('agent.classify', {}, ' urgent\n')).output).toEqual({ result: 'urgent' });
  });
});

describe('agent.plan', () => {
  test('gives the steps as a list, and asks the model for JSON of that form', async () => {
    const { output, requests, system } = await agent('agent.plan', { max_steps: 3 }, 'Here: {"steps":["Dig","Fill"]}');
    expect(output).toEqual({ result: ['Dig', 'Fill'] });
    expect(system).toContain('Take 3 steps at most.');
    expect(system).toContain('"steps"');
    expect(requests[0]?.output).toMatchObject({ type: 'object', required: ['steps'] });
  });

  test('asks once more for what is no such JSON, or has too many steps', async () => {
    const plan = (...answers: readonly string[]) => agent('agent.plan', { max_steps: 1 }, ...answers);
    for (const wrong of ['Dig!', '{"steps":[]}', '{"steps":["a","b"]}', '{"steps":', '}{'])
      expect((await plan(wrong, '{"steps":["Dig"]}')).output, wrong).toEqual({ result: ['Dig'] });
    expect((await plan('Dig!', 'Dig!')).output).toContain('agent-output-invalid: ');
  });
});

describe('agent.reviewer', () => {
  test('gives whether it approves, and its comments', async () => {
    const { output, system } = await agent(
      'agent.reviewer',
      { criteria: ['It is short.'] },
      '{"approved":false,"comments":["Too long."]}',
    );
    expect(output).toEqual({ result: { approved: false, comments: ['Too long.'] } });
    expect(system).toContain('\n- It is short.');
  });
});

describe('agent.coder', () => {
  test.each([
    ['Sure.\n```ts\nconst a = 1;\n\nlet b;\n```\nDone.', 'const a = 1;\n\nlet b;', 'Sure.\nDone.'],
    ['```\nx\n```', 'x', ''],
    ['```py\n```', '', ''],
    ['const a = 1;', 'const a = 1;', ''],
    ['```ts\ncut off', 'cut off', ''],
    ['```', '', ''],
  ])('reads the code out of %j', async (answer, code, notes) => {
    expect((await agent('agent.coder', { language: 'TypeScript' }, answer)).output).toEqual({
      result: { code, notes },
    });
  });
});

describe('agent.summarize', () => {
  test('gives the summary', async () => {
    const { output, system } = await agent('agent.summarize', { max_words: 20 }, ' Short. ');
    expect(output).toEqual({ result: 'Short.' });
    expect(system).toContain('in 20 words at most');
  });
});

test('an answer that is asked for again is told as well, so that the text is still all that was said', async () => {
  const model = scriptedModel('no JSON', '{"steps":["Dig"]}');
  const run = startNode('agent.plan', { input: 'It.' }, { model: () => model });
  await run.settled();
  expect(run.told.at(-1)).toEqual(['agent:complete', 'run-1', { text: 'no JSON{"steps":["Dig"]}' }]);
});
