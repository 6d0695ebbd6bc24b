import { AgentServer, InferenceRunner, ServerOptions } from '@livekit/agents';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { spareTurnProcess } from '../../../src/livekit/guards/spare-process.ts';
import { silenceLivekit } from '../call-record.ts';

const { registeredRunners } = InferenceRunner;

/** Loads LiveKit's server as in a process that has not created one yet, with the runners that it starts a process for. */
async function freshServer() {
  const folder = pathToFileURL(createRequire(import.meta.url).resolve('@livekit/agents'));
  const load = async (file: string): Promise<unknown> => await import(/* @vite-ignore */ new URL(file, folder).href);
  const { AgentServer: server } = (await load('worker.js?fresh')) as { AgentServer: typeof AgentServer };
  const loaded = (await load('inference_runner.js')) as { InferenceRunner: typeof InferenceRunner };
  return { server, runners: loaded.InferenceRunner.registeredRunners };
}

it('a worker: LiveKit’s own starts a process for its turn detector; guarded, only for runners that a plug-in registers', async () => {
  silenceLivekit();
  onTestFinished(() => {
    for (const name of Object.getOwnPropertyNames(registeredRunners)) delete registeredRunners[name];
  });
  const known = { wsURL: 'ws://127.0.0.1:1', apiKey: 'key', apiSecret: 'a-secret-that-is-long-enough-for-a-key' };
  /** Returns the runners that a new worker starts a process for. */
  const startedFor = (server: typeof AgentServer, runners: object): readonly string[] => {
    void new server(new ServerOptions({ ...known, agent: '/nowhere.js', port: 0 }));
    return Object.keys(runners);
  };
  InferenceRunner.registerRunner('of_a_plug_in', 'file:///nowhere.js');
  spareTurnProcess();
  expect(startedFor(AgentServer, registeredRunners)).toEqual(['of_a_plug_in']);
  delete registeredRunners['lk_eot_audio'];
  const fresh = await freshServer();
  expect(startedFor(fresh.server, fresh.runners)).toContain('lk_eot_audio');
});
