import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import {
  type AgentContext,
  createHooks,
  type Hooks,
  type ResponseMeta,
  type SafeHooks,
} from '../../src/engine/policy/hooks.ts';

const clock = createVirtualClock();
const ctx: AgentContext = {
  user: {},
  session: { id: 's', timeZone: 'UTC' },
  inbound: { eventId: 'e1', text: 'Hello', via: 'text' },
  replyTarget: null,
  resources: {},
};
const asked = { text: 'Hello', activeFlow: null };
const reply = { reply: 'Good morning.', structured: null, source: 'classic', flowId: null } as const;

function safe(hooks: Hooks): SafeHooks & { readonly failures: string[]; readonly dropped: string[] } {
  const dropped: string[] = [];
  const onDropped = (stage: string, action: string, keys: readonly string[]): unknown =>
    dropped.push(`${stage} ${action} ${keys.join(' ')}`);
  const failures: string[] = [];
  const onFailure = (stage: string, reason: string): unknown => failures.push(`${stage} ${reason}`);
  return { ...createHooks(hooks, { clock, onFailure, onDropped }), failures, dropped };
}

describe('decisions', () => {
  test('a hook decides before anything is inferred', async () => {
    const decision = { action: 'skip_llm', draftReply: 'We are closed.', reason: 'night' } as const;
    const seen: unknown[] = [];
    const hooks = safe({
      beforeLLM: async (input, context) => {
        seen.push(input, context);
        return decision;
      },
    });
    expect(await hooks.beforeLLM(asked, ctx)).toEqual(decision);
    expect(seen).toEqual([asked, ctx]);
  });

  test('nothing, or no hook, is continue', async () => {
    expect(await safe({}).beforeLLM(asked, ctx)).toEqual({ action: 'continue' });
    expect(await safe({ beforeResponse: async () => undefined }).beforeResponse(reply, ctx)).toEqual({
      action: 'continue',
    });
  });

  test('a reply can be cancelled and replaced, with another modality and structure', async () => {
    const decision = { action: 'replace', reply: 'No.', modality: 'text', structured: { score: 1 } } as const;
    expect(await safe({ beforeResponse: async () => decision }).beforeResponse(reply, ctx)).toEqual(decision);
  });
});

/** Any answer of a hook that JavaScript allows. */
const answering = (answer: unknown) => () => Promise.resolve(answer as never);
const long = 'x'.repeat(501);
const badGetter = (members: object, key: string) =>
  Object.defineProperty({ ...members }, key, {
    enumerable: true,
    get: () => {
      throw new RangeError('no');
    },
  });

describe('a decision that can be recognised is obeyed, and what cannot be used of the rest is dropped and told', () => {
  test.each<[string, unknown, unknown, string[]]>([
    [
      'a reason of any length',
      { action: 'cancel', reason: long },
      { action: 'cancel', reason: long.slice(1) },
      ['reason'],
    ],
    ['no reason, as null', { action: 'cancel', reason: null }, { action: 'cancel' }, []],
    ['a key nobody knows', { action: 'cancel', severity: 'high' }, { action: 'cancel' }, ['severity']],
    [
      'a value that JSON writes as text',
      { action: 'replace', reply: 'Safe.', structured: { at: new Date(0), x: undefined } },
      { action: 'replace', reply: 'Safe.', structured: { at: '1970-01-01T00:00:00.000Z' } },
      [],
    ],
    [
      'a value that JSON cannot hold',
      { action: 'replace', reply: 'Safe.', structured: { n: 1n }, modality: 'smoke' },
      { action: 'replace', reply: 'Safe.' },
      ['modality', 'structured'],
    ],
    ['a replacement without words', { action: 'replace', reply: 7 }, { action: 'replace', reply: '' }, ['reply']],
    ['a member that throws', badGetter({ action: 'cancel' }, 'reason'), { action: 'cancel' }, ['reason']],
    ['continue, and more', { action: 'continue', why: 'fine' }, { action: 'continue' }, ['why']],
  ])('beforeResponse: %s', async (_what, answer, decision, keys) => {
    const hooks = safe({ beforeResponse: answering(answer) });
    expect(await hooks.beforeResponse(reply, ctx)).toEqual(decision);
    expect(hooks.failures).toEqual([]);
    const { action } = decision as { action: string };
    expect(hooks.dropped).toEqual(keys.length === 0 ? [] : [`beforeResponse ${action} ${keys.join(' ')}`]);
  });

  test.each<[string, unknown, unknown]>([
    ['skip_llm', { action: 'skip_llm', reason: long }, { action: 'skip_llm', reason: long.slice(1) }],
    ['skip_llm without usable words', { action: 'skip_llm', draftReply: 5 }, { action: 'skip_llm' }],
    ['end', { action: 'end', reason: 'abuse', code: 4 }, { action: 'end', reason: 'abuse' }],
    ['route_flow', { action: 'route_flow', flowId: 'a', input: { at: 1n } }, { action: 'route_flow', flowId: 'a' }],
  ])('beforeLLM: %s', async (_what, answer, decision) => {
    const hooks = safe({ beforeLLM: answering(answer) });
    expect(await hooks.beforeLLM(asked, ctx)).toEqual(decision);
    expect(hooks.failures).toEqual([]);
    expect(hooks.dropped).toHaveLength(1);
  });
});

describe('a hook that guards safety may say that its failure blocks', () => {
  const failing: Hooks = { beforeLLM: answering('yes'), beforeResponse: () => Promise.reject(new Error('x')) };
  const sorry = 'Sorry, I cannot help with that just now.';
  const blocked = { action: 'replace', reply: sorry, blocks: true };

  test('nothing is inferred, nothing is said, and a line stands for it', async () => {
    const hooks = safe({ ...failing, onHookError: 'block' });
    expect(await hooks.beforeLLM(asked, ctx)).toEqual({ action: 'skip_llm', draftReply: sorry });
    expect(await hooks.beforeResponse(reply, ctx)).toEqual(blocked);
    expect(hooks.failures).toEqual(['beforeLLM decision-invalid', expect.stringMatching(/^beforeResponse Error/)]);
  });

  test('one of them, in words of its own, also where the decision itself throws', async () => {
    const beforeResponse = answering(badGetter({}, 'action'));
    const onHookError = { beforeResponse: 'block' } as const;
    const hooks = safe({ ...failing, beforeResponse, onHookError, blockedLine: 'No.' });
    expect(await hooks.beforeLLM(asked, ctx)).toEqual({ action: 'continue' });
    expect(await hooks.beforeResponse(reply, ctx)).toEqual({ ...blocked, reply: 'No.' });
  });
});

describe('a hook that misbehaves counts as continue, and is told by stage and kind', () => {
  test('it throws, also at once; what it says is not told', async () => {
    const hooks = safe({
      beforeLLM: () => {
        throw new TypeError('Hello from the caller');
      },
      beforeResponse: () => Promise.reject(new Error('Good morning.')),
      onResponse: () => Promise.reject(new Error('x')),
    });
    expect(await hooks.beforeLLM(asked, ctx)).toEqual({ action: 'continue' });
    expect(await hooks.beforeResponse(reply, ctx)).toEqual({ action: 'continue' });
    await hooks.onResponse({ reply: 'Good morning.' }, ctx, { source: 'classic' });
    expect(hooks.failures).toEqual([
      'beforeLLM TypeError',
      expect.stringMatching(/^beforeResponse Error at hooks\.test\.ts:\d+$/),
      expect.stringMatching(/^onResponse Error at hooks\.test\.ts:\d+$/),
    ]);
  });

  test('it hangs: the turn goes on after the limit, two seconds where none is set', async () => {
    const hooks = safe({ beforeLLM: () => new Promise(() => undefined) });
    let decided = false;
    const decision = hooks.beforeLLM(asked, ctx).then((found) => {
      decided = true;
      return found;
    });
    await clock.advance(1_999);
    expect(decided).toBe(false);
    await clock.advance(1);
    expect(await decision).toEqual({ action: 'continue' });
    expect(hooks.failures).toEqual(['beforeLLM timeout']);
  });

  test('it answers what is no decision', async () => {
    for (const answer of ['skip_llm', { action: 'skip' }, { reply: 'No.' }, [], badGetter({}, 'action'), 7]) {
      // Any answer of a handler that JavaScript allows.
      const hooks = safe({ beforeResponse: () => Promise.resolve(answer as never) });
      expect(await hooks.beforeResponse(reply, ctx)).toEqual({ action: 'continue' });
      expect(hooks.failures).toHaveLength(1);
    }
  });
});

describe('onResponse', () => {
  test('gets the reply, the context and where it came from', async () => {
    const meta: ResponseMeta = { source: 'flow', flowId: 'tutor', policy: { beforeLLMAction: 'continue' } };
    const seen: unknown[] = [];
    const hooks = safe({ onResponse: async (...given) => void seen.push(...given) });
    await hooks.onResponse({ reply: 'Hi.' }, ctx, meta);
    expect(seen).toEqual([{ reply: 'Hi.' }, ctx, meta]);
  });

  test('a handler of two arguments is called as before', async () => {
    const seen: string[] = [];
    const handler = async (structured: { reply: string }, context: AgentContext): Promise<void> => {
      seen.push(structured.reply, context.session.id);
    };
    await safe({ onResponse: handler }).onResponse({ reply: 'Hi.' }, ctx, { source: 'classic' });
    expect(seen).toEqual(['Hi.', 's']);
  });
});
