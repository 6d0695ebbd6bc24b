import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Model, ModelChunk, ModelRequest } from '../../src/model/ports/model.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { createRouter, type DetectorRouter, type Route, type RouterConfig } from '../../src/engine/policy/router.ts';

const flows = new Set(['tutor', 'reminder']);
const clock = createVirtualClock();

/** A model that writes one text and records its requests. */
function writes(text: string): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    label: 'writes',
    requests,
    async *generate(request): AsyncGenerator<ModelChunk> {
      requests.push(request);
      yield { type: 'text', delta: text };
      yield { type: 'end', finish: 'stop' };
    },
  };
}

const detector: DetectorRouter = {
  mode: 'detector',
  prompt: 'Say what the caller wants.',
  outputSchema: z.object({ intent: z.string(), confidence: z.number().optional() }),
  minConfidence: 0.6,
};

async function route(config: RouterConfig, text: string, model: Model | null = null): Promise<Route | null> {
  return await createRouter(config, { flows, clock, model }).byWords(text, new AbortController().signal);
}

describe('detector', () => {
  test('one inference decides, and is told the flows there are and the shape of the answer', async () => {
    const model = writes('{"intent": "tutor", "confidence": 0.9}');
    expect(await route(detector, 'I want to learn', model)).toEqual({ to: 'tutor', mode: 'detector' });
    expect(model.requests).toHaveLength(1);
    const [request] = model.requests;
    expect(request?.messages[0]?.content).toContain('tutor, reminder, classic');
    expect(request?.messages[1]).toEqual({ role: 'user', content: 'I want to learn' });
    expect(request?.output).toMatchObject({ type: 'object', required: ['intent'] });
  });

  test('is shown what the agent has said last, to which the words may be an answer', async () => {
    const model = writes('{"intent": "tutor"}');
    const said = 'Would you like a lesson or a reminder?';
    await createRouter(detector, { flows, clock, model }).byWords('The first.', new AbortController().signal, said);
    expect(model.requests[0]?.messages.slice(1)).toEqual([
      { role: 'assistant', content: said },
      { role: 'user', content: 'The first.' },
    ]);
  });

  test('low-confidence fallback to classic: an answer below minConfidence takes it; one without a confidence is sure', async () => {
    const unsure = writes('{"intent": "tutor", "confidence": 0.59}');
    expect(await route(detector, 'x', unsure)).toEqual({ to: 'classic', mode: 'detector', fallback: 'low-confidence' });
    expect(await route(detector, 'x', writes('{"intent": "tutor"}'))).toEqual({ to: 'tutor', mode: 'detector' });
  });

  test('an answer that cannot be read takes the fallback that is configured', async () => {
    for (const text of ['tutor', '', '{"intent": 3}', '{"intent": "tutor"', '[]']) {
      const found = await route({ ...detector, fallback: 'reminder' }, 'x', writes(text));
      expect(found, text).toEqual({ to: 'reminder', mode: 'detector', fallback: 'parse-error' });
    }
  });

  test('an answer in a fence or with words around it is read', async () => {
    const model = writes('Sure:\n```json\n{"intent": "tutor"}\n```');
    expect(await route(detector, 'x', model)).toEqual({ to: 'tutor', mode: 'detector' });
  });

  test('a flow that there is not takes the fallback', async () => {
    for (const intent of ['billing', 'toString', '__proto__'])
      expect(await route(detector, 'x', writes(JSON.stringify({ intent })))).toMatchObject({
        fallback: 'unknown-flow',
      });
  });

  test('a model that fails or does not answer within three seconds takes the fallback', async () => {
    const failing: Model = {
      label: 'failing',
      generate: () => {
        throw new Error('429');
      },
    };
    expect(await route(detector, 'x', failing)).toEqual({ to: 'classic', mode: 'detector', fallback: 'model-failed' });

    const hanging: Model = {
      label: 'hanging',
      // oxlint-disable-next-line require-yield
      async *generate({ signal }) {
        await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
      },
    };
    const found = route(detector, 'x', hanging);
    await clock.advance(2_999);
    let settled = false;
    void found.then(() => (settled = true));
    await clock.advance(0);
    expect(settled).toBe(false);
    await clock.advance(1);
    expect(await found).toMatchObject({ fallback: 'model-failed' });
  });
});

describe('schema_intent', () => {
  const router = createRouter({ mode: 'schema_intent', field: 'intent' }, { flows, clock, model: null });

  test('the field of the structured reply names the flow', () => {
    expect(router.byReply({ reply: 'Sure.', intent: 'tutor' })).toEqual({ to: 'tutor', mode: 'schema_intent' });
  });

  test('a missing field and an unknown flow take the fallback', () => {
    expect(router.byReply({ reply: 'Sure.' })).toMatchObject({ to: 'classic', fallback: 'missing' });
    expect(router.byReply({ intent: 7 })).toMatchObject({ fallback: 'missing' });
    expect(router.byReply({ intent: 'constructor' })).toMatchObject({ fallback: 'unknown-flow' });
  });

  test('words decide nothing', async () => {
    expect(await router.byWords('tutor', new AbortController().signal)).toBeNull();
  });
});

describe('rules', () => {
  const rules: RouterConfig = {
    mode: 'rules',
    rules: {
      tutor: {
        patterns: ['\\b(?:learn|teach)\\b'],
        examples: ['I want to practise my English', 'Correct my sentence'],
      },
      reminder: { patterns: ['\\bremind\\b'], examples: ['Tell me when it is time', 'Do not let me forget the milk'] },
      classic: { examples: ['How are you?'] },
    },
  };

  test('a pattern is sure, without regard to case', async () => {
    expect(await route(rules, 'TEACH me something')).toEqual({ to: 'tutor', mode: 'rules' });
  });

  test('without one, likeness to the examples decides', async () => {
    expect(await route(rules, 'Please correct one sentence of mine')).toEqual({ to: 'tutor', mode: 'rules' });
    expect(await route(rules, 'do not let me forget the eggs')).toEqual({ to: 'reminder', mode: 'rules' });
  });

  test('words of which no example speaks take the fallback', async () => {
    expect(await route(rules, 'bananas everywhere')).toMatchObject({ to: 'classic', fallback: 'low-confidence' });
  });

  test('where patterns of two flows match, the examples decide between them, or nobody', async () => {
    expect(await route(rules, 'remind me to learn, do not let me forget')).toEqual({ to: 'reminder', mode: 'rules' });
    expect(await route(rules, 'remind, learn')).toMatchObject({ fallback: 'ambiguous' });
  });

  test('vectors compare examples by meaning; where they cannot be had, words decide', async () => {
    const meaning = async (texts: readonly string[]): Promise<number[][]> =>
      texts.map((text) => (/english|correct|grammar/i.test(text) ? [1, 0] : [0, 1]));
    const withVectors = { ...rules, embed: meaning };
    expect(await route(withVectors, 'my grammar')).toEqual({ to: 'tutor', mode: 'rules' });
    const away = { ...rules, embed: () => Promise.reject(new Error('away')) };
    expect(await route(away, 'Please correct one sentence of mine')).toEqual({ to: 'tutor', mode: 'rules' });
  });
});

describe('a router that cannot work is refused', () => {
  const make = (config: RouterConfig) => () => createRouter(config, { flows, clock, model: null });

  test('with the place, the fact and the remedy', () => {
    expect(make({ mode: 'rules', rules: { tutr: {} } })).toThrow(
      'router.rules.tutr: flow "tutr" is not among flows (tutor, reminder). Add it or name another.',
    );
    expect(make({ mode: 'schema_intent', field: 'intent', fallback: 'x' })).toThrow('router.fallback: flow "x"');
    expect(make(detector)).toThrow('router: mode "detector" asks a model, but there is none. Set models.llm.');
    expect(make({ mode: 'rules', rules: { tutor: { patterns: ['ok', '(?=a)'] } } })).toThrow(
      'router.rules.tutor.patterns[1]: A lookahead',
    );
  });
});
