import { AgentServer, InferenceRunner, ServerOptions } from '@livekit/agents';
import { expect, it, onTestFinished } from 'vitest';
import { spareTurnProcess } from '../../../src/livekit/guards/spare-process.ts';
import { silenceLivekit } from '../call-record.ts';

const { registeredRunners } = InferenceRunner;

/** LiveKit's server as it is in a process that has made none yet. */
async function freshServer(): Promise<typeof AgentServer> {
  const { href } = new URL('worker.js?fresh', import.meta.resolve('@livekit/agents'));
  const fresh = (await import(/* @vite-ignore */ href)) as { AgentServer: typeof AgentServer };
  return fresh.AgentServer;
}

it('a worker: LiveKit’s own starts a process for its detector of turns; guarded, for what a plug-in registers alone', async () => {
  silenceLivekit();
  onTestFinished(() => {
    for (const name of Object.getOwnPropertyNames(registeredRunners)) delete registeredRunners[name];
  });
  const known = { wsURL: 'ws://127.0.0.1:1', apiKey: 'key', apiSecret: 'a-secret-that-is-long-enough-for-a-key' };
  /** What a worker that is made now starts its process for. */
  const startedFor = (server: typeof AgentServer): readonly string[] => {
    void new server(new ServerOptions({ ...known, agent: '/nowhere.js', port: 0 }));
    return Object.keys(registeredRunners);
  };
  InferenceRunner.registerRunner('of_a_plug_in', 'file:///nowhere.js');
  spareTurnProcess();
  expect(startedFor(AgentServer)).toEqual(['of_a_plug_in']);
  delete registeredRunners['lk_eot_audio'];
  expect(startedFor(await freshServer())).toEqual(['of_a_plug_in', 'lk_eot_audio']);
});
