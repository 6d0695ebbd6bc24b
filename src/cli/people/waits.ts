import { defineCommand } from 'citty';
import { createInterface } from 'node:readline/promises';
import { FlowError } from '../../model/errors.ts';
import { type ResolveOutcome, resolveWait } from '../../people/resolve-wait.ts';
import {
  findWait,
  pageOfWaits,
  type PostedWait,
  resourceOf,
  takesWords,
  type WaitsPage,
  type WaitsQuery,
} from '../../people/waits.ts';
import type { Store } from '../../model/ports/store.ts';
import { findSession, sessionUnknown } from '../../runner/conversation/kept-sessions.ts';
import { systemClock } from '../../system.ts';
import { assertAllowed, operatorOf } from './operator.ts';
import { paint, print, printRow } from '../output.ts';
import { inStore, storeArgs } from './sessions.ts';

export const waitsCommand = defineCommand({
  args: {
    ...storeArgs,
    session: { type: 'string', description: 'Only the waits of one session.' },
    event: { type: 'string', description: 'Only waits for the event of this name.' },
  },
  run: ({ args }) =>
    inStore(args, async (store, config) => {
      const operator = operatorOf(config);
      const { actor, authority } = operator;
      const kept = args.session === undefined ? null : await findSession(store, args.session);
      if (kept === null && args.session !== undefined) {
        // A user without the right must not learn which sessions exist.
        await assertAllowed(operator, 'wait:read', { sessionId: args.session });
        sessionUnknown(args.session);
      }
      let shown = 0;
      for await (const wait of allWaits(store, { sessionId: kept?.sessionId, event: args.event })) {
        if (authority !== null && !(await authority.may(actor, 'wait:read', resourceOf(wait)))) continue;
        show(wait);
        shown += 1;
      }
      if (shown === 0) print(paint('dim', 'There are no open waits.'));
    }),
});

const decideArgs = {
  key: { type: 'positional', description: 'The key of the wait, or its escalation id.', required: true },
  ...storeArgs,
  decision: { type: 'string', description: 'One of the options of the wait, if they are not yes and no.' },
  text: { type: 'string', description: 'The answer in words, if the wait accepts words.' },
  'facts-hash': {
    type: 'string',
    description: 'The hash of the facts that you have seen. Without it, the command shows them and asks.',
  },
} as const;

export const approveCommand = defineCommand({
  args: decideArgs,
  run: ({ args }) => inStore(args, (store, config) => decide(store, config, args, ['approve', 'yes']), 'write'),
});

export const rejectCommand = defineCommand({
  args: decideArgs,
  run: ({ args }) => inStore(args, (store, config) => decide(store, config, args, ['reject', 'no']), 'write'),
});

async function decide(
  store: Store,
  config: Parameters<typeof operatorOf>[0],
  args: { readonly key: string } & Readonly<Record<'decision' | 'text' | 'facts-hash', string | undefined>>,
  usual: readonly [string, string],
): Promise<void> {
  const operator = operatorOf(config);
  const { actor, authority } = operator;
  const wait = (await findWait(store, args.key)) ?? (await escalated(store, args.key));
  // A user with the hash has seen the facts; `resolveWait` checks the right to decide.
  if (wait === null || args['facts-hash'] === undefined)
    await assertAllowed(operator, 'wait:read', wait === null ? { key: args.key } : resourceOf(wait));
  if (wait === null)
    throw new FlowError('wait-unknown', `there is no wait "${args.key}". "roomflow waits" lists them.`);
  const { options } = wait.effect.payload;
  const decision = args.decision ?? usual.find((one) => options.includes(one)) ?? usual[0];
  if (args.text !== undefined && !takesWords(wait))
    throw new FlowError('resolution-invalid', `"${args.key}" does not accept words. Remove --text.`);
  const resolution = args.text === undefined ? { decision } : { text: args.text.trim() };
  const said = args.text ?? decision;
  const factsHash = args['facts-hash'] ?? (await hashOfSeen(wait, said));
  if (factsHash === null) {
    print('Nothing was decided.');
    process.exitCode = 1;
    return;
  }
  const parts = { store, clock: systemClock, authority };
  const outcome = await resolveWait(parts, { key: wait.effect.key, resolution, factsHash, actor });
  // The words may be confidential.
  const recorded = args.text === undefined ? decision : 'your words for';
  if (outcome.outcome === 'posted' || outcome.outcome === 'same') printRow(`Recorded: ${recorded} ${wait.effect.key}.`);
  else throw refusalOf(outcome, wait);
}

/** Shows the facts and returns their hash if the user says yes; null after a no. */
async function hashOfSeen(wait: PostedWait, decision: string): Promise<string | null> {
  if (!process.stdin.isTTY)
    throw new FlowError(
      'confirmation-missing',
      'the facts cannot be shown without a terminal. Add --facts-hash as printed by "roomflow waits".',
    );
  show(wait);
  const input = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await input.question(`${decision}? [y/N] `);
  input.close();
  return /^y(es)?$/i.test(answer.trim()) ? wait.effect.payload.factsHash : null;
}

async function escalated(store: Store, escalationId: string): Promise<PostedWait | null> {
  for await (const wait of allWaits(store, {})) if (wait.effect.payload.escalationId === escalationId) return wait;
  return null;
}

/** Yields the open waits, page by page. */
async function* allWaits(store: Store, query: Pick<WaitsQuery, 'sessionId' | 'event'>): AsyncGenerator<PostedWait> {
  let after: WaitsPage['next'] = null;
  do {
    const { waits, next }: WaitsPage = await pageOfWaits(store, { ...query, after, limit: pageSize });
    yield* waits;
    after = next;
  } while (after !== null);
}

const pageSize = 1_000;

function show({ effect: { key, payload, deadline } }: PostedWait): void {
  const { wait, to, event, question, facts, factsHash, options } = payload;
  const due = deadline === undefined ? '' : `  due ${new Date(deadline).toISOString()}`;
  const whom = `${to === null ? '' : `  to ${to}`}${event === undefined ? '' : `  for event ${event}`}`;
  printRow(`${key}  ${wait}${whom}${due}`);
  if (question !== '') printRow(`  ${question}${options.length === 0 ? '' : `  [${options.join(' | ')}]`}`);
  for (const [name, value] of Object.entries(facts)) printRow(`  ${name} = ${JSON.stringify(value)}`);
  printRow(`  --facts-hash ${factsHash}`, 'dim');
}

function refusalOf(outcome: Exclude<ResolveOutcome, { outcome: 'posted' | 'same' }>, wait: PostedWait): FlowError {
  const { key, payload } = wait.effect;
  switch (outcome.outcome) {
    case 'denied':
      return new FlowError('not-allowed', `can does not let you decide "${key}". See agent.config.ts.`);
    case 'unknown':
      return new FlowError('wait-unknown', `there is no wait "${key}". "roomflow waits" lists them.`);
    case 'over':
      return new FlowError('wait-over', `"${key}" is over or has another decision. The first decision counts.`);
    case 'changed':
      return new FlowError('facts-changed', `the facts of "${key}" have changed. "roomflow waits" shows them.`);
    case 'invalid': {
      const words = takesWords(wait) ? ['words by --text'] : [];
      const named = payload.options.length === 0 ? [] : [`one of these by --decision: ${payload.options.join(', ')}`];
      const ways = [...named, ...words];
      const choices = ways.length === 0 ? 'Resolve it over HTTP.' : `Give ${ways.join(', or ')}.`;
      return new FlowError('resolution-invalid', `"${key}": ${outcome.violations.join('; ')}. ${choices}`);
    }
  }
}
