import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { type AgentContext, createHooks, type Hooks, type ResponseMeta, type SafeHooks } from '../../src/turn/hooks.ts';

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

function safe(hooks: Hooks): SafeHooks & { readonly failures: string[] } {
  const failures: string[] = [];
  const onFailure = (stage: string, reason: string): unknown => failures.push(`${stage} ${reason}`);
  return { ...createHooks(hooks, { clock, onFailure }), failures };
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
    for (const answer of ['skip_llm', { action: 'skip' }, { action: 'replace' }, { action: 'cancel', extra: 1 }, 7]) {
      // What JavaScript lets a handler answer.
      const hooks = safe({ beforeResponse: () => Promise.resolve(answer as never) });
      expect(await hooks.beforeResponse(reply, ctx), JSON.stringify(answer)).toEqual({ action: 'continue' });
      expect(hooks.failures).toEqual(['beforeResponse decision-invalid']);
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
