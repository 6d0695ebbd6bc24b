import { postAct } from '../../people/post-act.ts';
import { resolveWait } from '../../people/resolve-wait.ts';
import { openWaits } from '../../people/waits.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Decision, Turn } from '../document/document.ts';
import type { ScenarioWorld } from './scenario-world.ts';

type Did = string | { readonly decided: string | null };

/** The actions of people outside the call: they decide, answer for the caller, or take over. */
export async function actOutside(world: ScenarioWorld, turn: Turn, index: number): Promise<Did> {
  const { decide, proxy, takeover, transfer } = turn;
  const parts = { store: world.store, clock: world.clock };
  const { sessionId } = world;
  if (decide !== undefined) return await world.outside(() => decideWait(world, decide));
  if (transfer !== undefined) return await endTransfer(world, transfer);
  if (proxy !== undefined) {
    const { say, actor = 'proxy' } = proxy;
    const id = `proxy-${index + 1}`;
    const signal = { type: 'user:turn', eventId: `proxy/${sessionId}/${id}`, text: say, via: 'proxy' } as const;
    world.tell(actor, say);
    await world.outside(() => postAct(parts, { sessionId, id, actor: { id: actor }, action: 'proxy:say', signal }));
    return { decided: null };
  }
  if (takeover === undefined) return { decided: null };
  const act = { sessionId, id: `takeover-${index + 1}`, actor: { id: 'operator' } };
  await world.outside(() => {
    if (takeover === 'start')
      return postAct(parts, { ...act, action: 'takeover:start', signal: { type: 'takeover:started' } });
    if (takeover === 'end')
      return postAct(parts, { ...act, action: 'takeover:end', signal: { type: 'takeover:ended' } });
    if ('say' in takeover)
      return postAct(parts, { ...act, action: 'takeover:say', signal: { type: 'takeover:said', text: takeover.say } });
    const { node, note } = takeover.end;
    const where = { ...(node === undefined ? {} : { node }), ...(note === undefined ? {} : { note }) };
    return postAct(parts, { ...act, action: 'takeover:end', signal: { type: 'takeover:ended', ...where } });
  });
  return { decided: null };
}

async function decideWait(world: ScenarioWorld, given: Decision): Promise<Did> {
  const {
    decision,
    text,
    resolution,
    node,
    actor = 'somebody',
    again,
  } = typeof given === 'string'
    ? { decision: given }
    : { decision: undefined, text: undefined, resolution: undefined, node: undefined, again: undefined, ...given };
  const open = await openWaits(world.store, world.sessionId);
  const wait = open.find(({ effect }) => node === undefined || effect.node === node);
  const key = again === true ? world.decidedKey : (wait?.effect.key ?? null);
  if (key === null)
    return node === undefined ? 'nothing is waited for that could be decided' : `node ${node} waits for nothing`;
  world.decidedKey = key;
  const answer: JsonObject = {
    ...(decision === undefined ? {} : { decision }),
    ...(text === undefined ? {} : { text }),
    ...resolution,
  };
  const parts = { store: world.store, clock: world.clock, authority: null };
  const { outcome } = await resolveWait(parts, { key, resolution: answer, actor: { id: actor } });
  return { decided: outcome };
}

/** Ends the open transfer. Without `talks` the person has hung up again, if the caller was put through. */
async function endTransfer(world: ScenarioWorld, given: NonNullable<Turn['transfer']>): Promise<Did> {
  const { outcome, talks } = typeof given === 'string' ? { outcome: given } : { talks: undefined, ...given };
  const open = await openWaits(world.store, world.sessionId);
  const key = open.find(({ effect }) => effect.payload.wait === 'transfer')?.effect.key;
  if (key === undefined) return 'the caller is not being put through';
  const resolution = { decision: outcome, ...(talks === true ? { participant: 'person' } : {}) };
  const parts = { store: world.store, clock: world.clock, authority: null };
  await world.outside(() => resolveWait(parts, { key, resolution, actor: { id: 'line' } }));
  return { decided: null };
}
