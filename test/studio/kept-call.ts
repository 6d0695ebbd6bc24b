import type { z } from 'zod';
import * as clinic from '../../flows/clinic-intake/tools.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Json } from '../../src/model/json.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { FlowSource } from '../../src/flow/load/files/flow-library.ts';
import { OfflineBrain } from '../../src/offline/brain/offline-brain.ts';
import type { LoggedSignal } from '../../src/model/ports/store.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemClock } from '../../src/system.ts';

/** The stored data of a conversation. */
export interface KeptCall {
  readonly sessionId: string;
  readonly log: readonly LoggedSignal[];
  readonly state: Json;
  readonly graphHash: string;
  readonly document: Json;
}

const made = clinic.createTools({ today: () => new Date().toLocaleDateString('sv-SE') });

/** The functions of the clinic, on data that is empty at the start of the test run. */
const clinicTools = (Object.entries(clinic.toolArguments) as [keyof typeof made, z.ZodObject][])
  .filter(([name]) => name !== 'ring')
  .map(([name, parameters]) =>
    flowTool({
      name,
      description: name,
      parameters,
      register: false,
      execute: (input, call) => made[name](input, call),
    }),
  );

const clinicHandlers = {
  ring: () => ({ ringing: true }),
  note_consent: (input: unknown, call: { readonly key: string }) => made.note_consent(input, call),
};

/** Plays a conversation with the offline brain and returns its stored data. */
export async function keptCall(flow: FlowSource, words: readonly string[]): Promise<KeptCall> {
  const store = createMemoryStore({ clock: systemClock });
  const sessionId = 'a-call';
  const session = createTextSession(new OfflineBrain());
  const runner = createRunner({
    ...{ session, flow, store, sessionId, tools: clinicTools, handlers: clinicHandlers },
    timeZone: 'America/New_York',
  });
  await runner.start();
  await runner.idle();
  for (const text of words) await runner.send(text);
  await runner.stop('test-over');
  await session.close();
  const kept = await store.sessions.get(sessionId);
  const log = await store.steps.list(sessionId);
  const graphHash = kept?.graphHash ?? '';
  return { sessionId, log, state: kept?.state ?? null, graphHash, document: await store.graphs.get(graphHash) };
}
